import type { Account } from "./payload.ts";

/** Branches of ours begin so. */
const ownBranchPrefix = "autolith/";

/** Whether our own App made a check: reacting to it would make a loop. */
export function isOwnApp(app: { readonly id: number | null } | null | undefined, ownAppId: number): boolean {
  return app?.id === ownAppId;
}

/** Whether Autolith pushed the branch: its own pull requests are not repaired again. */
export function isOwnBranch(branch: string): boolean {
  return branch.startsWith(ownBranchPrefix);
}

/** Bots quote and repeat what they read, commands included; only people are heard. */
export function isPerson(account: Account | null): account is Account {
  return account?.type === "User";
}
