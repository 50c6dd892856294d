import { openObjectStore } from "../checkout/object-store.ts";
import type { GitHub } from "../github/octokit.ts";
import type { ActiveJob, JobEnd } from "./active-job.ts";
import { closeJob } from "./close-job.ts";
import { conclusionOf } from "./conclusion-of.ts";
import { type FetchPlace, fetchBase } from "./fetch-tree.ts";
import type { FixServices } from "./fix-services.ts";
import { fixJobSchema, isAsked } from "./job.ts";
import { chooseJobCommand } from "./job-command.ts";
import { type JobTrace, openJobTrace, readRecords } from "./job-trace.ts";
import { limitReached } from "./limits-reached.ts";
import { openStatus, sayStopped } from "./open-status.ts";
import { progressText, startingText } from "./progress-words.ts";
import { publishAtHead } from "./publish-at-head.ts";
import { reachOf } from "./reach-of.ts";
import { type KnownCommit, readCommit } from "./read-commit.ts";
import { repairCommit } from "./repair-commit.ts";
import { asResume, asUnsaid, fromResume, fromUnsaid } from "./resume.ts";
import { findStart } from "./start-point.ts";
import type { Status } from "./status.ts";
import { triedText } from "./tried.ts";
import { brokenOffText, type Ended, endedText, mannerOf, runFacts, withNote } from "./words.ts";

/** Saying how a job ended is not stopped by what stops the job. */
const closeMs = 60_000;

/**
 * Does one job for GitHub: sees what there is to repair, says so, gathers evidence, checks out, repairs and proves, publishes, and says
 * how it ended. Rejects for what is worth another attempt, and with the signal's reason; `closeJob` then has the last word.
 */
export async function runFixJob(active: ActiveJob, services: FixServices, signal: AbortSignal): Promise<JobEnd> {
  const job = fixJobSchema.parse(await active.latest());
  const purpose = job.subject.kind === "issue" ? "report" : "evidence";
  const github = await services.access.client(reachOf(job), purpose, signal);
  const { sha, resume } = active.progress;
  const found = await findStart(github, job, signal, { sha, isProven: fromResume(resume) !== null });
  if (found.kind === "stop") {
    // An attempt that broke off may have spoken, and even published.
    const end = active.attempt === 1 ? found : await closeJob(active, found, services, signal);
    if (isAsked(job)) await sayStopped(job, end, services, signal);
    return { kind: "ended", outcome: end.outcome, reason: end.reason };
  }
  const { start } = found;
  if (start.place.kind === "issue") await active.record({ sha: start.sha });
  await using store = await openObjectStore(signal);
  let status: Status | null = null;
  using trace = openJobTrace(active, services, (record) => {
    const text = progressText(record);
    if (text !== null) status?.show(text);
  });
  const place: FetchPlace = { store, start, job, access: services.access };
  const [opened, known] = await Promise.allSettled([
    openStatus({ active, start, services }, startingText(start.place), signal),
    readCommit(place, github, services, trace, signal),
  ]);
  if (opened.status === "rejected") throw opened.reason;
  status = opened.value;
  try {
    if (known.status === "rejected") throw known.reason;
    const unsaid = fromUnsaid(active.progress.resume);
    const options = { active, services, github, place, known: known.value, trace, status };
    const end = unsaid ?? withNote(await attempt(options, signal), known.value.problem);
    return await finish(end, options, signal);
  } finally {
    await status.quiet();
  }
}

interface Attempt {
  readonly active: ActiveJob;
  readonly services: FixServices;
  /** Reads what CI says. */
  readonly github: GitHub;
  readonly place: FetchPlace;
  readonly known: KnownCommit;
  readonly trace: JobTrace;
  readonly status: Status;
}

async function attempt(options: Attempt, signal: AbortSignal): Promise<Ended> {
  const { active, services, github, place, known, trace, status } = options;
  const { job, start } = place;
  const { checkout, evidence, config } = known;
  await active.noteChecks(evidence.checks.map(({ name }) => name));
  let proven = fromResume(active.progress.resume);
  const limit = proven === null ? await limitReached(active, job, services, new Date()) : null;
  if (limit !== null) return { outcome: "exhausted", reason: limit };
  const chosen = await chooseJobCommand({ checkout, configured: config.test, evidence });
  if (chosen.kind === "none") return { outcome: "environment", reason: chosen.reason };
  const { command } = chosen;
  if (proven === null) {
    const base = "base" in start.place ? fetchBase(place, github, start.place.base.branch) : null;
    const { run } = trace;
    const isFork = start.place.kind === "fork";
    const repair = { active, services, job, run, trace, checkout, command, setup: config.setup, isFork, base };
    const result = await repairCommit(repair, signal);
    const { outcome, proof, spend, durationMs } = result;
    if (outcome.kind !== "fixed") {
      const mayPass = outcome.kind === "infrastructure" && outcome.mayPass;
      const tried = start.place.kind === "issue" ? triedText(trace.records) : undefined;
      const more = runFacts(proof?.findings ?? [], spend, tried);
      return { outcome: outcome.kind, reason: outcome.reason, mayPass, more };
    }
    proven = { run, durationMs, spend, repair: outcome.repair };
    await active.record({ resume: asResume(proven) });
  }
  signal.throwIfAborted();
  await status.quiet();
  const records = proven.run === trace.run ? trace.records : readRecords(services, proven.run);
  const work = { active, services, job, start, checkout, command, evidence, proven, records };
  return publishAtHead({ ...work, github, place, setup: config.setup, trace }, signal);
}

/** Says how the attempt ended, unless it was stopped from outside: then whoever stopped it knows better. */
async function finish(
  end: Ended,
  { active, place: { job }, status }: Pick<Attempt, "active" | "place" | "status">,
  signal: AbortSignal,
): Promise<JobEnd> {
  if (end.outcome === "cancelled") signal.throwIfAborted();
  if (end.mayPass === true) {
    await status.say(brokenOffText(end.reason), signal);
    return { kind: "failed", reason: end.reason };
  }
  // What was paid for is not done again only because GitHub cannot be told right now. A pull request is found again by itself.
  if (end.outcome !== "opened") await active.record({ resume: asUnsaid(end) });
  const text = endedText(end, mannerOf(job.subject));
  await status.close(text, conclusionOf(end.outcome), AbortSignal.timeout(closeMs));
  return { kind: "ended", outcome: end.outcome, reason: end.reason };
}
