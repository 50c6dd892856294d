import type { Account } from "./account.ts";
import type { CheckRun, CheckSuite } from "./check.ts";
import type { Repository } from "./repository.ts";

/** A workflow file. */
export interface Workflow {
  readonly id: number;
  readonly name: string;
  /** `.github/workflows/ci.yml` */
  readonly path: string;
  readonly createdAt: string;
}

/** One run of a workflow; its status and conclusion are those of its check suite. */
export interface WorkflowRun {
  readonly id: number;
  readonly repository: Repository;
  readonly headRepository: Repository;
  readonly workflow: Workflow;
  readonly suite: CheckSuite;
  readonly event: string;
  readonly headBranch: string;
  readonly headSha: string;
  readonly number: number;
  readonly attempt: number;
  readonly actor: Account;
  readonly title: string;
  readonly createdAt: string;
  readonly jobs: Job[];
}

/** One step of a job, numbered as GitHub does, "Set up job" being 1. */
export interface Step {
  readonly number: number;
  readonly name: string;
  readonly status: "queued" | "in_progress" | "completed";
  readonly conclusion: "success" | "failure" | "skipped" | "cancelled" | null;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
}

/** A job of a run; its id, name, status and times are those of its check run. */
export interface Job {
  readonly checkRun: CheckRun;
  readonly labels: readonly string[];
  readonly runnerName: string;
  steps: readonly Step[];
  /** The raw log, byte for byte as the storage hands it out; null when it is gone (410). */
  log: Buffer | null;
}
