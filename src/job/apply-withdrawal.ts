import * as jobs from "../store/jobs.ts";
import type { ApplyContext } from "./apply.ts";
import type { Change } from "./change.ts";
import { endJob } from "./end-jobs.ts";
import { endingOf } from "./ending.ts";
import { type Cause, jobSchema } from "./job.ts";

/** Takes the wish of a deleted comment out of the jobs that carry it, and ends a job that nothing else asks for. */
export async function applyWithdrawal(
  context: ApplyContext,
  { installationId, repositoryId, commentId }: Extract<Change, { kind: "withdraw" }>,
): Promise<void> {
  const { database } = context;
  const isIts = (cause: Cause) => cause.kind === "command" && cause.commentId === commentId;
  const open = await jobs.findJobsNotEnded(database, { installationId, repositoryIds: [repositoryId] });
  const keys = open.filter(({ work }) => jobSchema.parse(work).causes.some(isIts)).map(({ key }) => key);
  // Always in the same order, so that two transactions cannot wait for each other's keys.
  for (const key of [...new Set(keys)].sort()) {
    await jobs.lockKeys(database, key);
    const { queued, active } = await jobs.findOpenJobs(database, key);
    for (const row of [queued, active]) {
      const job = row && jobSchema.parse(row.work);
      const causes = job?.causes.filter((cause) => !isIts(cause)) ?? [];
      if (row === null || causes.length === job?.causes.length) continue;
      if (causes.length > 0) await jobs.updateJob(database, row.id, { work: { ...job, causes } });
      else await endJob(context, row, endingOf("withdrawn"));
    }
  }
}
