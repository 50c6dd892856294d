import * as jobs from "../store/jobs.ts";
import { failureLimit } from "./active-job.ts";
import type { Claim } from "./dispatch.ts";
import { type Ending, endingSchema } from "./ending.ts";
import type { Queue } from "./queue.ts";

/** What a worker finds when the queue hands it a job. `row` is the record with this attempt counted. */
export type Claimed =
  | { readonly kind: "run"; readonly row: jobs.JobRow }
  /** It has to be closed out, not run. */
  | { readonly kind: "close"; readonly row: jobs.JobRow; readonly ending: Ending }
  /** An older job of the same key began and waits for its end; it comes first. */
  | { readonly kind: "blocked"; readonly by: string }
  /** It ended, or is not there any more. */
  | { readonly kind: "gone" };

/** Begins an attempt. One that began before and never reported its end counts as a failure. */
export function claimJob({ store }: Queue, jobId: string): Promise<Claimed> {
  return store.database.transaction(async (database): Promise<Claimed> => {
    const found = await jobs.findJob(database, jobId);
    if (found === null) return { kind: "gone" };
    await jobs.lockKeys(database, found.key);
    const current = await jobs.findJob(database, jobId);
    if (current === null || current.state === "ended") return { kind: "gone" };
    const { active } = await jobs.findOpenJobs(database, current.key);
    if (active !== null && active.id !== jobId) return { kind: "blocked", by: active.id };
    const failures = current.failures + (current.running ? 1 : 0);
    const ending = endingFor(current, failures);
    const fields = {
      state: "active" as const,
      running: true,
      attempts: current.attempts + 1,
      failures,
      ending,
      startedAt: current.startedAt ?? new Date(),
    };
    await jobs.updateJob(database, jobId, fields);
    const row = { ...current, ...fields };
    return ending === null ? { kind: "run", row } : { kind: "close", row, ending };
  });
}

function endingFor(row: jobs.JobRow, failures: number): Ending | null {
  if (row.ending !== null) return endingSchema.parse(row.ending);
  return failures < failureLimit ? null : broken("the worker died while it ran");
}

/** The ending of a job that failed as often as it may. */
export function broken(reason: string): Ending {
  return { cause: "broken", outcome: "infrastructure", reason };
}

/** Ends a job for good. Without effect when the attempt is not the current one any more. */
export async function finish(
  { store, dispatch }: Queue,
  row: jobs.JobRow,
  claim: Claim | null,
  { outcome, reason }: { readonly outcome: string; readonly reason: string },
): Promise<void> {
  await store.database.transaction(async (database) => {
    await jobs.lockKeys(database, row.key);
    const fields = { state: "ended" as const, running: false, resume: null, outcome, reason, endedAt: new Date() };
    if (!(await jobs.updateAttempt(database, { id: row.id, attempt: row.attempts }, fields))) return;
    const ended = await jobs.findJob(database, row.id);
    if (isUninstalled(ended)) await jobs.deleteJob(database, row.id);
    await (claim === null ? dispatch.cancel(database, row.queueId) : dispatch.complete(database, claim));
  });
}

function isUninstalled(row: jobs.JobRow | null): boolean {
  return row?.ending != null && endingSchema.parse(row.ending).cause === "uninstalled";
}

/** Lets a job go on later. Without effect when the attempt is not the current one any more. */
export async function handBack(
  { store, dispatch }: Queue,
  row: jobs.JobRow,
  claim: Claim,
  wait: { readonly delaySeconds: number; readonly failures?: number; readonly ending?: Ending },
): Promise<void> {
  const { failures = row.failures } = wait;
  await store.database.transaction(async (database) => {
    await jobs.lockKeys(database, row.key);
    const decided = (await jobs.findJob(database, row.id))?.ending ?? null;
    const fields = { running: false, failures, ending: decided ?? wait.ending ?? null };
    if (!(await jobs.updateAttempt(database, { id: row.id, attempt: row.attempts }, fields))) return;
    // An ending that was decided meanwhile is carried out at once; one that could not be said waits like everything else.
    const isNews = decided !== null && wait.ending === undefined;
    await dispatch.handBack(database, claim, isNews ? 0 : wait.delaySeconds);
  });
}
