import type { Account } from "./account.ts";

/** The address of what GitHub commits itself. */
export const MERGER_EMAIL = "noreply@github.com";

/** Who GitHub says committed what was made through its pages or its API. */
export const MERGER = { name: "GitHub", email: MERGER_EMAIL };

/** Name and e-mail address in the commits of an account, with the address that GitHub gives to everybody. */
export function identityOf(account: Account): { name: string; email: string } {
  return { name: account.name ?? account.login, email: `${account.id}+${account.login}@users.noreply.github.com` };
}
