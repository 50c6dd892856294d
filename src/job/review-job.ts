import { openObjectStore } from "../checkout/object-store.ts";
import { SandboxError } from "../errors.ts";
import type { GitHub } from "../github/octokit.ts";
import { type FoundRepoConfig, fetchRepoConfig } from "../github/repo-config.ts";
import { plainMarkdown } from "../pull-request/neutralise.ts";
import { redact } from "../redact.ts";
import { postReview, retireReviews } from "../review/post-review.ts";
import { type ReviewVerdict, verdictSchema } from "../review/verdict.ts";
import { isGreetedOn } from "../store/repositories.ts";
import type { ActiveJob, JobEnd } from "./active-job.ts";
import type { Change, Effect } from "./change.ts";
import type { FixServices } from "./fix-services.ts";
import { type ReviewJob, reviewJobSchema } from "./job.ts";
import { type JobTrace, openJobTrace } from "./job-trace.ts";
import { limitReached } from "./limits-reached.ts";
import { reachOf } from "./reach-of.ts";
import { closeReview, openReviewCheck } from "./review-check.ts";
import { judgeCommit } from "./review-commit.ts";
import { repairFollows, reviewEndText, reviewGreeting } from "./review-words.ts";
import { findStart, isStillHead, type StartPoint } from "./start-point.ts";
import { brokenOffText, type Ended } from "./words.ts";

/** What a review needs besides what repairs need: it may ask for one. */
export interface ReviewServices extends FixServices {
  readonly apply: (change: Change) => Promise<Effect>;
}

const closeMs = 60_000;
/** Once begun it is brought to its end, or a review might be posted twice. */
const postMs = 120_000;

/**
 * Reviews one pull request for GitHub: sees what there is to review, runs base and head, says what differs, once for each head, and
 * hands what the head breaks over to a repair. Rejects for what is worth another attempt, and with the signal's reason.
 */
export async function runReviewJob(active: ActiveJob, services: ReviewServices, signal: AbortSignal): Promise<JobEnd> {
  const job = reviewJobSchema.parse(await active.latest());
  const github = await services.access.client(reachOf(job), "evidence", signal);
  const found = await findStart(github, job, signal);
  if (found.kind === "stop" || found.start.place.kind === "default-branch") {
    const end = found.kind === "stop" ? found : { outcome: "cancelled" as const, reason: "it is no pull request" };
    if (active.attempt > 1) await closeReview(active, end, services, signal);
    return { kind: "ended", outcome: end.outcome, reason: end.reason };
  }
  const { start } = found;
  const check = await openReviewCheck({ active, services, repository: start.repository, headSha: start.sha }, signal);
  using trace = openJobTrace(active, services, () => {});
  const attempt = { active, services, job, start, github, trace };
  const end = await settleReview(attempt, signal);
  const closing = AbortSignal.timeout(closeMs);
  if (end.kind === "failed") {
    await check.close("infrastructure", brokenOffText(end.reason), closing);
    return end;
  }
  const { outcome, reason, text } = end;
  await check.close(outcome, text ?? reviewEndText(outcome, reason), closing);
  return { kind: "ended", outcome, reason };
}

interface Attempt {
  readonly active: ActiveJob;
  readonly services: ReviewServices;
  readonly job: ReviewJob;
  readonly start: StartPoint;
  /** Reads. */
  readonly github: GitHub;
  readonly trace: JobTrace;
}

type ReviewEnd =
  | (Pick<Ended, "outcome" | "reason"> & {
      readonly kind: "ended";
      readonly text?: { readonly title: string; readonly summary: string };
    })
  | Extract<JobEnd, { kind: "failed" }>;

async function settleReview(attempt: Attempt, signal: AbortSignal): Promise<ReviewEnd> {
  const { active, services, job, start, github } = attempt;
  const known = verdictSchema.safeParse(active.progress.resume);
  const limit = known.success ? null : await limitReached(active, job, services, new Date());
  if (limit !== null) return { kind: "ended", outcome: "exhausted", reason: limit };
  const configured = await fetchRepoConfig(github, start.repository, signal);
  try {
    const verdict = known.success ? known.data : await judge(attempt, configured, signal);
    if (verdict === null)
      return { kind: "ended", outcome: "exhausted", reason: "time: the limit of one review was reached" };
    await active.record({ resume: verdict });
    signal.throwIfAborted();
    return await say(attempt, verdict, configured, AbortSignal.timeout(postMs));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof SandboxError) return { kind: "failed", reason: error.message };
    throw error;
  }
}

async function judge(
  attempt: Attempt,
  configured: FoundRepoConfig,
  signal: AbortSignal,
): Promise<ReviewVerdict | null> {
  await using store = await openObjectStore(signal);
  return await judgeCommit({ ...attempt, store, config: configured.config }, signal);
}

/** Posts what there is to say, if it is still about the head, and folds what was said about older ones. */
async function say(
  { services, job, start, active }: Attempt,
  verdict: ReviewVerdict,
  { problem }: FoundRepoConfig,
  signal: AbortSignal,
): Promise<ReviewEnd> {
  const { repository, sha: headSha, place } = start;
  const pullRequest = place.kind === "default-branch" ? 0 : place.number;
  const talk = await services.access.client(reachOf(job), "talk", signal);
  if (!(await isStillHead(talk, start, signal))) {
    return { kind: "ended", outcome: "stale", reason: "a newer commit was pushed while this one was reviewed" };
  }
  const isRepaired = verdict.breaks && job.bot !== null && place.kind === "pull-request";
  if (verdict.review !== null) {
    const { secrets } = services;
    const isFirst = await isGreetedOn(
      services.database,
      { id: repository.id, installationId: job.installationId },
      pullRequest,
    );
    const parts = [verdict.review.body, ...(isRepaired ? [repairFollows] : []), ...(isFirst ? [reviewGreeting] : [])];
    const body = parts.join("\n\n");
    const comments = verdict.review.comments.map((each) => ({ ...each, body: redact(each.body, secrets) }));
    const { event } = verdict.review;
    const review = { pullRequest, headSha, event, body: redact(body, secrets), comments };
    await postReview(talk, repository, review, signal);
  }
  await retireReviews(talk, repository, { pullRequest, headSha }, signal);
  if (isRepaired) await askForRepair(job, active.id, services);
  const note = problem === null ? [] : [`Note: ${plainMarkdown(problem)}`];
  const text = { title: verdict.headline, summary: [verdict.summary, ...note].join("\n\n") };
  const outcome = { reviewed: "reviewed", clean: "clean", unknown: "environment" } as const;
  return { kind: "ended", outcome: outcome[verdict.kind], reason: verdict.headline, text };
}

/** The repair has a job of its own, which a failing check of the commit joins, and the other way round. */
async function askForRepair(job: ReviewJob, jobId: string, { apply }: ReviewServices): Promise<void> {
  const { installationId, repository, subject, sha, shaSeenAt } = job;
  await apply({
    kind: "fix",
    job: {
      kind: "fix",
      ...{ installationId, repository, subject, sha, shaSeenAt },
      causes: [{ kind: "review", jobId }],
    },
  });
}
