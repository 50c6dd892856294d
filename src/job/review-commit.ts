import { fetchCommit } from "../checkout/fetch-commit.ts";
import type { ObjectStore } from "../checkout/object-store.ts";
import type { Checkout } from "../checkout/snapshot.ts";
import { knownBots } from "../config/known-bots.ts";
import type { RepoConfig } from "../config/repo-config.ts";
import { reviewSettings } from "../config/review-settings.ts";
import { installDependencies } from "../dependencies/install-dependencies.ts";
import { mergeBase } from "../github/merge-base.ts";
import type { GitHub } from "../github/octokit.ts";
import { Budget, type BudgetLimits } from "../model/budget.ts";
import { type ReviewVerdict, verdictOf } from "../review/verdict.ts";
import { detectTestCommand } from "../runner/detect-test-command.ts";
import { resolveTestCommand, type TestCommand } from "../runner/test-command.ts";
import type { Sandboxes } from "../sandbox/sandbox.ts";
import { version } from "../version.ts";
import type { ActiveJob } from "./active-job.ts";
import type { FixServices } from "./fix-services.ts";
import { isAsked, type ReviewJob } from "./job.ts";
import type { JobTrace } from "./job-trace.ts";
import { reachOf } from "./reach-of.ts";
import { reviewChange, type Side } from "./review.ts";
import { openSpendBook } from "./spend-book.ts";
import { spentBefore } from "./spent-before.ts";
import type { StartPoint } from "./start-point.ts";

export interface CommitReview {
  readonly active: ActiveJob;
  readonly services: FixServices;
  readonly job: ReviewJob;
  readonly start: StartPoint;
  readonly github: GitHub;
  readonly trace: JobTrace;
  readonly store: ObjectStore;
  readonly config: RepoConfig;
}

/** A look is short; whoever wants more asks for a repair. */
const lookLimits: BudgetLimits = { iterations: 8, tokens: 100_000, costUsd: 0.5, wallTimeMs: 30 * 60_000 };

/** Bots that change versions and nothing else. */
const bumpBots: readonly number[] = [knownBots.dependabot, knownBots.renovate];

/** Reads both sides of a pull request, reviews the change, and decides what is said. Null when the time was up before. */
export async function judgeCommit(review: CommitReview, signal: AbortSignal): Promise<ReviewVerdict | null> {
  const { active, services, job, start, github, trace, config } = review;
  const { model, limits } = services;
  if (!("base" in start.place)) throw new Error("only a pull request has something to be reviewed against");
  const ends = { base: start.place.base.sha, head: start.sha };
  const baseSha = await mergeBase(github, start.repository, ends, signal);
  const [base, head] = await trace.stage("checkout", () => fetchBoth(review, baseSha, signal));
  const command = await commandOf(config, base, head);
  const book = openSpendBook({ ...services, active, repositoryId: job.repository.id });
  const own = smaller(lookLimits, limits.budget);
  const budget = new Budget(own, model, () => performance.now(), spentBefore(active), book);
  recordStart(review, head, command, budget);
  const sandboxes = await services.sandboxes(trace.run, signal);
  const deadline = AbortSignal.timeout(budget.remainingMs);
  const reviewing = reviewChange(
    {
      ...{ base, head, baseSha, command, budget },
      headSha: start.sha,
      isFork: start.place.kind === "fork",
      isBumpOnly: job.bot !== null && bumpBots.includes(job.bot.id),
      prepare: (checkout, prepareSignal) =>
        prepare(review, { checkout, isBase: checkout === base, command, sandboxes }, prepareSignal),
      ...{ model, trace },
      testRunMs: limits.testRunMs,
      executionMs: limits.executionMs,
    },
    AbortSignal.any([signal, deadline]),
  );
  const done = await reviewing.catch((error: unknown) => {
    if (signal.aborted || !deadline.aborted) throw error;
    return null;
  });
  await book.close(budget.spent);
  if (done === null) return null;
  const { facts, look } = done;
  const isBots = job.bot !== null;
  return verdictOf({ facts, look, settings: reviewSettings(config), isAsked: isAsked(job), isBots });
}

interface Preparing {
  readonly checkout: Checkout;
  readonly isBase: boolean;
  readonly command: TestCommand | null;
  readonly sandboxes: Sandboxes;
}

/** The packages of a side are those that its own lockfile names. What a stranger's branch asks for is not installed. */
async function prepare(
  { services, job, start, trace, config }: CommitReview,
  { checkout, isBase, command, sandboxes }: Preparing,
  signal: AbortSignal,
): Promise<Side> {
  if (command === null) return { kind: "ready", start: sandboxes.starter(null) };
  const { apiUrl, sources, limits } = services;
  const work = { checkout, command, setup: config.setup, sandboxes, sources, trace };
  const domain = `repository ${apiUrl} ${job.repository.id}`;
  const mayInstall = isBase || start.place.kind !== "fork";
  const installed = await installDependencies({ ...work, domain, mayInstall, timeoutMs: limits.installMs }, signal);
  if (installed.kind === "failed") return installed;
  return { kind: "ready", start: sandboxes.starter(installed.layer) };
}

async function fetchBoth(
  { services, job, start, store }: CommitReview,
  baseSha: string,
  signal: AbortSignal,
): Promise<[Checkout, Checkout]> {
  const token = await services.access.token(reachOf(job), "checkout", signal);
  const url = start.repository.cloneUrl;
  const head = await fetchCommit({ url, sha: start.sha, token }, store, signal);
  return [await fetchCommit({ url, sha: baseSha, token }, store, signal), head];
}

/** As the base says, since a pull request must not decide how it is judged; as the head does where the base has no tests yet. */
async function commandOf({ test }: RepoConfig, base: Checkout, head: Checkout): Promise<TestCommand | null> {
  for (const side of [base, head]) {
    const command = test ?? (await detectTestCommand(side));
    if (command !== null) return resolveTestCommand(command, side);
  }
  return null;
}

function smaller(own: BudgetLimits, all: BudgetLimits): BudgetLimits {
  return {
    iterations: Math.min(own.iterations, all.iterations),
    tokens: Math.min(own.tokens, all.tokens),
    costUsd: Math.min(own.costUsd, all.costUsd),
    wallTimeMs: Math.min(own.wallTimeMs, all.wallTimeMs),
  };
}

function recordStart(
  { services, trace }: CommitReview,
  head: Checkout,
  command: TestCommand | null,
  budget: Budget,
): void {
  const { name, endpoint } = services.model;
  trace.record({ type: "run-started", version: version(), model: name, endpoint, limits: { ...budget.limits } });
  const { shell = "", runner = "command" } = command ?? {};
  const { tree, paths } = head;
  trace.record({ type: "checked-out", tree, files: paths.length, command: shell, runner, notes: [...head.notes] });
}
