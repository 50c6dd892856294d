import type { CommitSummary } from "../git/commits.ts";
import type { Account, Integration } from "./account.ts";
import type { Repository } from "./repository.ts";

/** Where a check stands. */
export type CheckStatus = "queued" | "in_progress" | "completed" | "waiting" | "requested" | "pending";

/** How a check ended; `stale` and `startup_failure` are GitHub's own. */
export type CheckConclusion =
  | "success"
  | "failure"
  | "neutral"
  | "cancelled"
  | "skipped"
  | "timed_out"
  | "action_required"
  | "stale"
  | "startup_failure";

/** All check runs that one app made for one commit. */
export interface CheckSuite {
  readonly id: number;
  readonly repository: Repository;
  readonly app: Integration;
  readonly headSha: string;
  /** null for commits of forks. */
  readonly headBranch: string | null;
  readonly headCommit: CommitSummary;
  readonly createdAt: string;
  updatedAt: string;
  status: CheckStatus;
  conclusion: CheckConclusion | null;
}

/** A remark on lines of a file. */
export interface Annotation {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly startColumn: number | null;
  readonly endColumn: number | null;
  readonly level: "notice" | "warning" | "failure";
  readonly message: string;
  readonly title: string | null;
  readonly rawDetails: string | null;
}

/** A button on a check run. */
export interface CheckAction {
  readonly label: string;
  readonly description: string;
  readonly identifier: string;
}

/** One check run. A run of GitHub Actions has the id of its job. */
export interface CheckRun {
  readonly id: number;
  readonly suite: CheckSuite;
  name: string;
  externalId: string;
  detailsUrl: string | null;
  status: CheckStatus;
  conclusion: CheckConclusion | null;
  startedAt: string;
  completedAt: string | null;
  output: { title: string | null; summary: string | null; text: string | null };
  readonly annotations: Annotation[];
  actions: readonly CheckAction[];
}

/** A commit status, which older CIs write in place of check runs. */
export interface CommitStatus {
  readonly id: number;
  readonly sha: string;
  readonly state: "error" | "failure" | "pending" | "success";
  readonly context: string;
  readonly targetUrl: string | null;
  readonly description: string | null;
  readonly creator: Account;
  readonly createdAt: string;
}
