import type { Logger } from "pino";
import type { PackageSources } from "../config/package-sources.ts";
import type { AppAccess } from "../github/app-access.ts";
import type { BudgetLimits } from "../model/budget.ts";
import type { Model } from "../model/model.ts";
import type { Sandboxes } from "../sandbox/sandbox.ts";
import type { Database } from "../store/database.ts";

/** What jobs are done with. One for all jobs of a process. */
export interface FixServices {
  /** Numeric id of this App. */
  readonly appId: number;
  /** Base of GitHub's REST API. */
  readonly apiUrl: string;
  readonly access: AppAccess;
  readonly database: Database;
  readonly model: Model;
  /** Gives what starts the sandboxes of one run. Rejects with `SandboxError`. */
  readonly sandboxes: (run: string, signal: AbortSignal) => Promise<Sandboxes>;
  /** Where installs get packages from. */
  readonly sources: PackageSources;
  /** Holds one trace a run. */
  readonly traceDirectory: string;
  readonly limits: FixLimits;
  /** Values that must never leave the process. */
  readonly secrets: readonly string[];
  readonly log: Logger;
  /** Waits between tries for a job's log, in milliseconds. */
  readonly logWaitsMs?: readonly number[];
  /** The shortest time between two live updates, in milliseconds. */
  readonly updateEveryMs?: number;
}

export interface FixLimits {
  readonly budget: BudgetLimits;
  /** Limit of one test run, in milliseconds. */
  readonly testRunMs: number;
  /** Limit of everything that one install does, in milliseconds. */
  readonly installMs: number;
  /** Limit of one execution or shell command, in milliseconds. */
  readonly executionMs: number;
  readonly runsPerPullRequest: number;
  readonly runsPerDay: number;
  readonly costPerDayUsd: number;
}
