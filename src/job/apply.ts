import { randomUUID } from "node:crypto";
import type { Database } from "../store/database.ts";
import { findHead, recordDraft, recordPush } from "../store/heads.ts";
import * as jobs from "../store/jobs.ts";
import { recordRefusal, withdrawRefusal } from "../store/refusals.ts";
import { forgetRepositories } from "../store/repositories.ts";
import type { Change, Effect, PullRequestHead } from "./change.ts";
import type { Dispatch } from "./dispatch.ts";
import { type Ending, endingOf } from "./ending.ts";
import { type FixJob, fixJobSchema, isAsked, keyOf } from "./job.ts";
import { type Placement, place, type Standing } from "./placement.ts";

/** What a change is applied with. */
export interface ApplyContext {
  /** A transaction: what is written and what is said to the queue happen together or not at all. */
  readonly database: Database;
  readonly dispatch: Dispatch;
  /** How long a failed check waits for the others of its commit. Unit: milliseconds. */
  readonly debounceMs: number;
}

const accepted: Effect = { kind: "accepted" };

/** Applies one change to the records and the queue. */
export async function applyChange(context: ApplyContext, change: Change): Promise<Effect> {
  const { database, dispatch } = context;
  switch (change.kind) {
    case "fix":
      return applyFix(context, change.job);
    case "intake":
      await dispatch.sendIntake(database, change.intake);
      return accepted;
    case "complete":
      return hasten(context, keyOf(change.repositoryId, change.subject), change.sha);
    case "cancel":
      return endKey(context, keyOf(change.repositoryId, change.subject), endingOf(change.cause));
    case "head":
      return applyHead(context, change.head);
    case "lost":
      return applyLost(context, change);
    case "refusal":
      await (change.refused ? recordRefusal : withdrawRefusal)(database, change);
      return accepted;
  }
}

async function applyFix(context: ApplyContext, request: FixJob): Promise<Effect> {
  const { database } = context;
  const key = keyOf(request.repository.id, request.subject);
  await jobs.lockKey(database, key);
  const open = await jobs.findOpenJobs(database, key);
  const placement = place(request, await standingOf(database, key, request.sha, open));
  return carryOut(context, key, placement, open);
}

type OpenJobs = Awaited<ReturnType<typeof jobs.findOpenJobs>>;

async function standingOf(database: Database, key: string, sha: string | null, open: OpenJobs): Promise<Standing> {
  const ended = await jobs.findEndedJobs(database, key, sha);
  return {
    queued: open.queued && fixJobSchema.parse(open.queued.work),
    active: open.active && { job: fixJobSchema.parse(open.active.work), isEnding: open.active.ending !== null },
    ended: ended.map(({ work, outcome }) => ({ job: fixJobSchema.parse(work), outcome: outcome ?? "" })),
    head: await findHead(database, key),
  };
}

async function carryOut(context: ApplyContext, key: string, placement: Placement, open: OpenJobs): Promise<Effect> {
  const { database, dispatch } = context;
  if (placement.kind === "ignored") return placement;
  const { job } = placement;
  if ("supersedesActive" in placement && placement.supersedesActive && open.active !== null) {
    await endOpen(context, open.active, endingOf("superseded"));
  }
  const joined = placement.kind === "joins-active" ? open.active : open.queued;
  if (joined === null) return { kind: "queued", jobId: await insert(context, key, job) };
  await jobs.updateJob(database, joined.id, { work: job, sha: job.sha, shaSeenAt: new Date(job.shaSeenAt) });
  if (placement.kind === "replaces-queued") {
    await dispatch.reschedule(database, joined.queueId, delayOf(context, job));
    return { kind: "queued", jobId: joined.id };
  }
  if (placement.kind === "joins-queued" && placement.startsNow) await dispatch.reschedule(database, joined.queueId, 0);
  return { kind: "joined", jobId: joined.id };
}

async function insert(context: ApplyContext, key: string, job: FixJob): Promise<string> {
  const id = randomUUID();
  await jobs.insertJob(context.database, {
    id,
    queueId: await context.dispatch.send(context.database, id, key, delayOf(context, job)),
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

function delayOf({ debounceMs }: ApplyContext, job: FixJob): number {
  return isAsked(job) ? 0 : Math.ceil(debounceMs / 1000);
}

async function hasten({ database, dispatch }: ApplyContext, key: string, sha: string): Promise<Effect> {
  await jobs.lockKey(database, key);
  const { queued } = await jobs.findOpenJobs(database, key);
  if (queued?.sha !== sha) return accepted;
  await dispatch.reschedule(database, queued.queueId, 0);
  return { kind: "joined", jobId: queued.id };
}

async function endKey(context: ApplyContext, key: string, ending: Ending): Promise<Effect> {
  await jobs.lockKey(context.database, key);
  const { queued, active } = await jobs.findOpenJobs(context.database, key);
  for (const row of [queued, active]) if (row !== null) await endOpen(context, row, ending);
  return accepted;
}

/** A job that waits ends here; one that began is told, and ends where it runs, or when it would have gone on. */
async function endOpen({ database, dispatch }: ApplyContext, row: jobs.JobRow, ending: Ending): Promise<void> {
  if (row.state === "queued") {
    const { outcome, reason } = ending;
    await jobs.updateJob(database, row.id, { state: "ended", outcome, reason, endedAt: new Date() });
    await dispatch.cancel(database, row.queueId);
  } else if (row.ending === null) {
    await jobs.updateJob(database, row.id, { ending });
    await dispatch.reschedule(database, row.queueId, 0);
  }
}

async function applyHead(context: ApplyContext, head: PullRequestHead): Promise<Effect> {
  const { database } = context;
  const { subject, openedAt, pushedAt, ...rest } = head;
  const key = keyOf(head.repositoryId, subject);
  await jobs.lockKey(database, key);
  if (pushedAt === null) {
    await recordDraft(database, { ...rest, key, pushedAt: openedAt });
  } else if (await recordPush(database, { ...rest, key, pushedAt })) {
    const { queued, active } = await jobs.findOpenJobs(database, key);
    const overtaken = [queued, active]
      .filter((row) => row !== null)
      .filter((row) => isOvertaken(row, head.sha, pushedAt));
    for (const row of overtaken) await endOpen(context, row, endingOf("superseded"));
  }
  return accepted;
}

/** A job of an older commit, or one that a person asked for before they could see this commit. */
function isOvertaken(row: jobs.JobRow, sha: string, pushedAt: Date): boolean {
  if (row.sha !== sha) return row.shaSeenAt <= pushedAt;
  const { causes } = fixJobSchema.parse(row.work);
  return causes.every((cause) => cause.kind !== "check" && new Date(cause.askedAt) <= pushedAt);
}

async function applyLost(context: ApplyContext, change: Extract<Change, { kind: "lost" }>): Promise<Effect> {
  const { database } = context;
  const ending = endingOf(change.forget ? "uninstalled" : "suspended");
  const rows = await jobs.findJobsNotEnded(database, change);
  // Always in the same order, so that two transactions cannot wait for each other's keys.
  for (const key of [...new Set(rows.map((row) => row.key))].sort()) await endKey(context, key, ending);
  if (change.forget) await forgetRepositories(database, change);
  return accepted;
}
