import * as jobs from "../store/jobs.ts";
import type { ApplyContext } from "./apply.ts";
import { type Ending, isSilent } from "./ending.ts";

/** Ends the jobs of some keys, which are locked, whether they wait or run. */
export async function endJobsOf(context: ApplyContext, keys: readonly string[], ending: Ending): Promise<void> {
  for (const row of await jobs.findOpenJobsOf(context.database, keys)) await endJob(context, row, ending);
}

/**
 * Ends one job, whose key is locked. One that never began ends here; one that began is told, and ends where it runs, or when it
 * would have gone on. The first ending stays, unless a later one forbids to say it.
 */
export async function endJob(context: ApplyContext, row: jobs.JobRow, ending: Ending): Promise<void> {
  const { database, dispatch } = context;
  if (row.state === "queued") {
    const { outcome, reason } = ending;
    await jobs.updateJob(database, row.id, { state: "ended", outcome, reason, endedAt: new Date() });
    await dispatch.cancel(database, row.queueId);
  } else if (row.ending === null || isSilent(ending)) {
    await jobs.updateJob(database, row.id, { ending });
    await dispatch.reschedule(database, row.queueId, 0);
  }
}
