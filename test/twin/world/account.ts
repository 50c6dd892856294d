/** How far a permission of an app or of a token goes; each level includes the ones before it. */
export type Level = "read" | "write" | "admin";

/** Permission name (`checks`, `pull_requests`, ...) to level, as in an app's manifest. */
export type Permissions = Readonly<Record<string, Level>>;

/** A person, an organisation or the bot user that an app acts as (login `<slug>[bot]`). */
export interface Account {
  readonly id: number;
  login: string;
  readonly type: "User" | "Organization" | "Bot";
  readonly name: string | null;
  readonly createdAt: string;
}

/** A GitHub App: the one under test, GitHub Actions, or another CI. */
export interface Integration {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly owner: Account;
  readonly bot: Account;
  readonly permissions: Permissions;
  readonly events: readonly string[];
  readonly createdAt: string;
}

/** The app under test on one account. */
export interface Installation {
  readonly id: number;
  readonly account: Account;
  readonly permissions: Permissions;
  readonly createdAt: string;
  /** The ids of the repositories that were selected, or `"all"` of the account's. */
  repositories: "all" | Set<number>;
  suspendedAt: string | null;
  deleted: boolean;
}

/** What the collaborator permission answers as `role_name`; `permission` folds maintain and triage. */
export type Role = "admin" | "maintain" | "write" | "triage" | "read" | "none";

/** The four words that `permission` knows: maintain counts as write, triage as read. */
export function permissionOf(role: Role): "admin" | "write" | "read" | "none" {
  if (role === "maintain") return "write";
  return role === "triage" ? "read" : role;
}
