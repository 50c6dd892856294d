import { randomUUID } from "node:crypto";
import * as jobs from "../store/jobs.ts";
import { anyCommit, findStanding, type StandingRows } from "../store/standing.ts";
import type { ApplyContext } from "./apply.ts";
import type { Effect } from "./change.ts";
import { endJob } from "./end-jobs.ts";
import { endingOf } from "./ending.ts";
import { isAsked, type Job, jobKey, jobSchema, keyOf } from "./job.ts";
import { type Placement, place, type Standing } from "./placement.ts";

/** Finds the place of a request among the jobs of its key, which is locked, and puts it there. */
export async function applyJob(context: ApplyContext, request: Job): Promise<Effect> {
  const { database } = context;
  const key = jobKey(request);
  const headKey = keyOf(request.repository.id, request.subject);
  const found = await findStanding(database, { key, sha: request.sha ?? anyCommit, headKey });
  const placement = place(request, standingOf(found));
  if (placement.kind === "ignored") return placement;
  if ("supersedesActive" in placement && placement.supersedesActive && found.active !== null) {
    await endJob(context, found.active, endingOf("superseded"));
  }
  const row = placement.kind === "joins-active" ? found.active : found.queued;
  if (row === null) return { kind: "queued", jobId: await insert(context, key, placement.job) };
  return placement.kind === "replaces-queued" ? replace(context, row, placement.job) : join(context, row, placement);
}

function standingOf({ queued, active, ended, head }: StandingRows): Standing<Job> {
  return {
    queued: queued && jobSchema.parse(queued.work),
    active: active && { job: jobSchema.parse(active.work), isEnding: active.ending !== null },
    ended: ended.map(({ work, outcome }) => ({ job: jobSchema.parse(work), outcome: outcome ?? "" })),
    head,
  };
}

async function insert(context: ApplyContext, key: string, job: Job): Promise<string> {
  const { database, dispatch } = context;
  const id = randomUUID();
  const turn = await dispatch.nextTurn(database, job.repository.id);
  await jobs.insertJob(database, {
    id,
    queueId: await dispatch.send(database, id, key, delayOf(context, job), turn),
    key,
    state: "queued",
    installationId: job.installationId,
    repositoryId: job.repository.id,
    sha: job.sha,
    shaSeenAt: new Date(job.shaSeenAt),
    work: job,
  });
  return id;
}

async function replace(context: ApplyContext, row: jobs.JobRow, job: Job): Promise<Effect> {
  const { database, dispatch } = context;
  await jobs.updateJob(database, row.id, { work: job, sha: job.sha, shaSeenAt: new Date(job.shaSeenAt) });
  await dispatch.reschedule(database, row.queueId, delayOf(context, job));
  return { kind: "queued", jobId: row.id };
}

async function join(
  { database, dispatch }: ApplyContext,
  row: jobs.JobRow,
  placement: Exclude<Placement<Job>, { kind: "ignored" }>,
): Promise<Effect> {
  await jobs.updateJob(database, row.id, { work: placement.job });
  if (placement.kind === "joins-queued" && placement.startsNow) await dispatch.reschedule(database, row.queueId, 0);
  return { kind: "joined", jobId: row.id };
}

/** Who asks has seen the failure; a check may be the first of many. A review waits for nothing. Unit: seconds. */
function delayOf({ debounceMs }: ApplyContext, job: Job): number {
  return isAsked(job) || job.kind === "review" ? 0 : Math.ceil(debounceMs / 1000);
}
