import type { BareRepository } from "../git/bare-repository.ts";
import type { Account, Role } from "./account.ts";
import type { CheckRun, CheckSuite, CommitStatus } from "./check.ts";
import type { Issue, Label } from "./issue.ts";
import type { Workflow, WorkflowRun } from "./workflow.ts";

/** One change of a branch, as the repository's activity lists it. */
export interface Activity {
  readonly id: number;
  readonly type: "push" | "force_push" | "branch_creation" | "branch_deletion" | "pr_merge";
  readonly ref: string;
  readonly before: string;
  readonly after: string;
  readonly actor: Account;
  readonly at: string;
}

/** A repository: its git directory, and everything that GitHub keeps beside git. */
export interface Repository {
  readonly id: number;
  readonly owner: Account;
  name: string;
  /** Names that it had before; requests by them are answered 301. */
  readonly formerNames: string[];
  readonly private: boolean;
  readonly defaultBranch: string;
  /** What it was forked from; the object store is shared with it, as in GitHub's networks. */
  readonly parent: Repository | null;
  archived: boolean;
  deleted: boolean;
  readonly git: BareRepository;
  readonly collaborators: Map<number, Role>;
  readonly createdAt: string;
  pushedAt: string;
  readonly issues: Map<number, Issue>;
  readonly labels: Map<string, Label>;
  readonly suites: Map<number, CheckSuite>;
  readonly checkRuns: Map<number, CheckRun>;
  readonly statuses: CommitStatus[];
  readonly workflows: Map<number, Workflow>;
  readonly workflowRuns: Map<number, WorkflowRun>;
  readonly activity: Activity[];
  /** Commits that GitHub made and signed itself; everything else is unsigned. */
  readonly verifiedCommits: Set<string>;
}

/** `owner/name`. */
export function fullName(repository: Repository): string {
  return `${repository.owner.login}/${repository.name}`;
}
