import type { Database } from "../store/database.ts";
import * as jobs from "../store/jobs.ts";
import { recordRefusal, withdrawRefusal } from "../store/refusals.ts";
import { forgetRepositories } from "../store/repositories.ts";
import { applyHead } from "./apply-head.ts";
import { applyJob } from "./apply-job.ts";
import { applyWithdrawal } from "./apply-withdrawal.ts";
import type { Change, Effect } from "./change.ts";
import type { Dispatch } from "./dispatch.ts";
import { endJobsOf } from "./end-jobs.ts";
import { endingOf } from "./ending.ts";
import { keyOf, keysOf } from "./job.ts";

/** What a change is applied with. */
export interface ApplyContext {
  /** A transaction: what is written and what is said to the queue happen together or not at all. */
  readonly database: Database;
  readonly dispatch: Dispatch;
  /** How long a failed check waits for the others of its commit. Unit: milliseconds. */
  readonly debounceMs: number;
}

const accepted: Effect = { kind: "accepted" };

/** Applies one change, whose keys are locked (`keysOfChange`), to the records and the queue. */
export async function applyChange(context: ApplyContext, change: Change): Promise<Effect> {
  const { database, dispatch } = context;
  switch (change.kind) {
    case "fix":
    case "review":
      return applyJob(context, change.job);
    case "several":
      for (const each of change.changes) await applyChange(context, each);
      return accepted;
    case "intake":
      await dispatch.sendIntake(database, change.intake);
      return accepted;
    case "complete":
      return startNow(context, keyOf(change.repositoryId, change.subject), change.sha);
    case "cancel":
      await endJobsOf(context, keysOf(change.repositoryId, change.subject), endingOf(change.cause));
      return accepted;
    case "head":
      await applyHead(context, change.head);
      if (change.intake !== undefined) await dispatch.sendIntake(database, change.intake);
      return accepted;
    case "withdraw":
      await applyWithdrawal(context, change);
      return accepted;
    case "lost":
      await applyLost(context, change);
      return accepted;
    case "refusal":
      await (change.refused ? recordRefusal : withdrawRefusal)(database, change);
      return accepted;
  }
}

async function startNow({ database, dispatch }: ApplyContext, key: string, sha: string): Promise<Effect> {
  const { queued } = await jobs.findOpenJobs(database, key);
  if (queued?.sha !== sha) return accepted;
  await dispatch.reschedule(database, queued.queueId, 0);
  return { kind: "joined", jobId: queued.id };
}

async function applyLost(context: ApplyContext, change: Extract<Change, { kind: "lost" }>): Promise<void> {
  const { database } = context;
  const ending = endingOf(change.forget ? "uninstalled" : "suspended");
  const rows = await jobs.findJobsNotEnded(database, change);
  // Always in the same order, so that two transactions cannot wait for each other's keys.
  for (const key of [...new Set(rows.map((row) => row.key))].sort()) {
    await jobs.lockKeys(database, key);
    await endJobsOf(context, [key], ending);
  }
  if (change.forget) await forgetRepositories(database, change);
}
