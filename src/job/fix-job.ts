import { openObjectStore } from "../checkout/object-store.ts";
import { gatherEvidence } from "../evidence/gather.ts";
import type { GitHub } from "../github/octokit.ts";
import { fetchRepoConfig } from "../github/repo-config.ts";
import type { ActiveJob, JobEnd } from "./active-job.ts";
import { conclusionOf } from "./conclusion-of.ts";
import { fetchBase, fetchStart } from "./fetch-tree.ts";
import type { FixServices } from "./fix-services.ts";
import { type FixJob, isAsked } from "./job.ts";
import { chooseJobCommand } from "./job-command.ts";
import { openJobTrace, readRecords } from "./job-trace.ts";
import { limitReached } from "./limits-reached.ts";
import { openStatus, sayStopped } from "./open-status.ts";
import { progressText, startingText } from "./progress-words.ts";
import { publishRepair } from "./publish-repair.ts";
import { reachOf } from "./reach-of.ts";
import { repairCommit } from "./repair-commit.ts";
import { asResume, fromResume } from "./resume.ts";
import { findStart, type StartPoint } from "./start-point.ts";
import type { Status } from "./status.ts";
import { brokenOffText, type Ended, endedText, findingLines } from "./words.ts";

/** Saying how a job ended is not stopped by what stops the job. */
const closeMs = 60_000;

/**
 * Does one job for GitHub: sees what there is to repair, says so, gathers evidence, checks out, repairs and proves, publishes, and says
 * how it ended. Rejects for what is worth another attempt, and with the signal's reason; `closeJob` then has the last word.
 */
export async function runFixJob(active: ActiveJob, services: FixServices, signal: AbortSignal): Promise<JobEnd> {
  const job = await active.latest();
  const github = await services.access.client(reachOf(job), "evidence", signal);
  const found = await findStart(github, job, signal);
  if (found.kind === "stop") {
    if (isAsked(job)) await sayStopped(job, found, services, signal);
    return { kind: "ended", outcome: found.outcome, reason: found.reason };
  }
  const { start } = found;
  const status = await openStatus({ active, start, services }, startingText, signal);
  try {
    const end = await attempt({ active, services, job, github, start, status }, signal);
    if (end.outcome === "cancelled") signal.throwIfAborted();
    if (end.mayPass === true) {
      await status.say(brokenOffText(end.reason), signal);
      return { kind: "failed", reason: end.reason };
    }
    const text = endedText(end, { isPullRequest: start.place.kind !== "default-branch" });
    await status.close(text, conclusionOf(end.outcome), AbortSignal.timeout(closeMs));
    return { kind: "ended", outcome: end.outcome, reason: end.reason };
  } finally {
    await status.quiet();
  }
}

interface Attempt {
  readonly active: ActiveJob;
  readonly services: FixServices;
  readonly job: FixJob;
  /** Reads what CI says. */
  readonly github: GitHub;
  readonly start: StartPoint;
  readonly status: Status;
}

async function attempt(options: Attempt, signal: AbortSignal): Promise<Ended> {
  const { active, services, job, github, start, status } = options;
  const { repository, sha, place } = start;
  const { appId, apiUrl, logWaitsMs } = services;
  let proven = fromResume(active.progress.resume);
  const limit = proven === null ? await limitReached(job, services, new Date()) : null;
  if (limit !== null) return { outcome: "exhausted", reason: limit };
  await using store = await openObjectStore(signal);
  using trace = openJobTrace(active, services, (record) => {
    const text = progressText(record);
    if (text !== null) status.show(text);
  });
  const where = { store, start, job, access: services.access };
  const [checkout, evidence, { config, problem }] = await Promise.all([
    trace.stage("checkout", () => fetchStart(where, signal)),
    gatherEvidence({ github, repository, sha, appId, apiUrl, ...(logWaitsMs && { logWaitsMs }) }, signal),
    fetchRepoConfig(github, repository, signal),
  ]);
  const chosen = await chooseJobCommand({ checkout, configured: config.test, evidence });
  if (chosen.kind === "none") return { outcome: "environment", reason: chosen.reason, more: problem ?? undefined };
  const { command } = chosen;

  if (proven === null) {
    const base = place.kind === "default-branch" ? null : fetchBase(where, github, place.base.branch);
    const { run } = trace;
    const result = await repairCommit({ active, services, job, run, trace, checkout, command, base }, signal);
    const { outcome, proof, spend, durationMs } = result;
    if (outcome.kind !== "fixed") {
      const mayPass = outcome.kind === "infrastructure" && outcome.mayPass;
      return { outcome: outcome.kind, reason: outcome.reason, mayPass, more: findingLines(proof?.findings ?? []) };
    }
    proven = { run, durationMs, spend, repair: outcome.repair };
    await active.record({ resume: asResume(proven) });
  }
  signal.throwIfAborted();
  await status.quiet();
  const records = proven.run === trace.run ? trace.records : readRecords(services, proven.run);
  return publishRepair({ active, services, job, start, checkout, command, evidence, proven, records });
}
