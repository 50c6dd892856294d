import { recordDraft, recordPush } from "../store/heads.ts";
import * as jobs from "../store/jobs.ts";
import type { ApplyContext } from "./apply.ts";
import type { PullRequestHead } from "./change.ts";
import { endJob } from "./end-jobs.ts";
import { endingOf } from "./ending.ts";
import { isWish, jobSchema, keysOf } from "./job.ts";

/** Remembers the head of a pull request, whose keys are locked, and ends the jobs that a push has overtaken. */
export async function applyHead(context: ApplyContext, head: PullRequestHead): Promise<void> {
  const { database } = context;
  const { subject, openedAt, pushedAt, ...rest } = head;
  const keys = keysOf(head.repositoryId, subject);
  const [key] = keys;
  if (pushedAt === null) return recordDraft(database, { ...rest, key, pushedAt: openedAt });
  if (!(await recordPush(database, { ...rest, key, pushedAt }))) return;
  for (const row of await jobs.findOpenJobsOf(database, keys)) {
    if (isOvertaken(row, head.sha, pushedAt)) await endJob(context, row, endingOf("superseded"));
  }
}

/** A job of an older commit, or one that people asked for before they could see this commit. */
function isOvertaken(row: jobs.JobRow, sha: string, pushedAt: Date): boolean {
  if (row.sha !== sha) return row.shaSeenAt <= pushedAt;
  const { causes } = jobSchema.parse(row.work);
  return causes.every((cause) => isWish(cause) && new Date(cause.askedAt) <= pushedAt);
}
