import type { Checkout } from "../checkout/snapshot.ts";
import { installDependencies } from "../dependencies/install-dependencies.ts";
import { Budget, type SpendBook, type Spent } from "../model/budget.ts";
import type { TestCommand } from "../runner/test-command.ts";
import type { Layer, Sandboxes, SandboxSession } from "../sandbox/sandbox.ts";
import { findProposal } from "../store/proposals.ts";
import { isRefused } from "../store/refusals.ts";
import type { TraceRecord } from "../trace/event.ts";
import type { Trace } from "../trace/recorder.ts";
import type { Reproduction } from "../verify/verify-reproduction.ts";
import { version } from "../version.ts";
import type { ActiveJob } from "./active-job.ts";
import { failureKey } from "./failure-key.ts";
import { fix, type Red } from "./fix.ts";
import { fixIssue } from "./fix-issue.ts";
import type { FixServices } from "./fix-services.ts";
import { type FixJob, isAsked, keyOf } from "./job.ts";
import { asKnown, knownFrom } from "./known-reproduction.ts";
import type { FixResult, Outcome } from "./outcome.ts";
import { installOf, prepareSandbox } from "./prepare-sandbox.ts";
import { redOnBase } from "./red-on-base.ts";
import { settled } from "./settled.ts";
import { openSpendBook } from "./spend-book.ts";
import { spentBefore } from "./spent-before.ts";
import { refusedBefore } from "./words.ts";

/** A commit that is to be repaired, with what is needed for it. */
export interface CommitRepair {
  readonly active: ActiveJob;
  readonly services: FixServices;
  readonly job: FixJob;
  readonly run: string;
  readonly trace: Trace;
  readonly checkout: Checkout;
  readonly command: TestCommand;
  /** `setup:` of the default branch's configuration. */
  readonly setup: readonly string[] | undefined;
  /** True for what people without write access to the repository have written. */
  readonly isFork: boolean;
  /** The head of the branch that a pull request would merge into; null where there is none. */
  readonly base: { readonly branch: string; readonly load: (signal: AbortSignal) => Promise<Checkout> } | null;
}

const noteEveryMs = 5_000;

/** Reproduces, repairs and proves, within what earlier attempts left of the budget. Rejects for bugs only, and when the claim is lost. */
export async function repairCommit(repair: CommitRepair, signal: AbortSignal): Promise<FixResult> {
  const { active, services, job, trace, checkout, command } = repair;
  const { model, limits } = services;
  const book = openSpendBook({ ...services, active, repositoryId: job.repository.id });
  const earlier = spentBefore(active);
  const budget = new Budget(limits.budget, model, () => performance.now(), earlier, book);
  const { name, endpoint } = model;
  trace.record({ type: "run-started", version: version(), model: name, endpoint, limits: { ...limits.budget } });
  if (earlier !== undefined) trace.record(carriedOver(budget.spent));
  using _ = noting(budget, book);
  const { shell, runner } = command;
  const notes = [...checkout.notes];
  trace.record({
    type: "checked-out",
    tree: checkout.tree,
    files: checkout.paths.length,
    command: shell,
    runner,
    notes,
  });
  const result = await settled({ budget, trace, signal }, async (claims, runSignal) => {
    const prepared = await prepareSandbox(repair, runSignal);
    if (prepared.kind === "failed") return { kind: "environment", reason: prepared.reason };
    const { sandboxes, layer } = prepared;
    const startSandbox = sandboxes.starter(layer);
    const { testRunMs, executionMs } = limits;
    // Fetched while the failure is reproduced, since most that are looked at are real.
    await using base = loadBase(repair, runSignal);
    const beforeLoop = (red: Red, session: SandboxSession, loopSignal: AbortSignal) =>
      reasonToStop({ ...repair, loaded: base.checkout, sandboxes, layer }, red, session, loopSignal);
    const parts = { checkout, command, startSandbox, installed: layer !== null };
    const work = { ...parts, model, trace, budget, claims, testRunMs, executionMs };
    const asked = { ...work, hint: hintOf(job), beforeLoop };
    const { report } = job;
    if (report === undefined) return await fix(asked, runSignal);
    const known = knownFrom(active.progress.resume);
    const keep = (reproduction: Reproduction) => active.record({ resume: asKnown(reproduction, checkout) });
    return await fixIssue({ ...asked, report, known, keep }, runSignal);
  });
  await book.close(budget.spent);
  return result;
}

/** Writes down now and then how much time has passed, so that a crash gives hardly any of it back. */
function noting(budget: Budget, book: SpendBook): Disposable {
  const timer = setInterval(() => book.settle(budget.spent), noteEveryMs);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

function carriedOver({ iterations, wallTimeMs, estimatedTokens, inFlight: _, ...usage }: Spent): TraceRecord {
  return { type: "carried-over", iterations, usage, wallTimeMs, estimatedTokens };
}

/** Begins to fetch the base branch; disposing ends that, so that it does not outlive the store. */
function loadBase(
  { base }: CommitRepair,
  signal: AbortSignal,
): AsyncDisposable & { checkout: Promise<Checkout> | null } {
  const stopping = new AbortController();
  const checkout = base?.load(AbortSignal.any([signal, stopping.signal])) ?? null;
  // Where nobody waits for it, its failure is nobody's matter.
  const settledLoad = checkout?.catch(() => undefined);
  return {
    checkout,
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await settledLoad;
    },
  };
}

interface Reproduced extends CommitRepair {
  readonly loaded: Promise<Checkout> | null;
  readonly sandboxes: Sandboxes;
  /** The packages that the failure was reproduced with. */
  readonly layer: Layer | null;
}

/** Whether the failure is one that Autolith should leave alone. */
async function reasonToStop(
  repair: Reproduced,
  red: Red,
  session: SandboxSession,
  signal: AbortSignal,
): Promise<Outcome | null> {
  const { active, services, job, base, loaded, trace } = repair;
  const failure = failureKey(keyOf(job.repository.id, job.subject), red.target);
  await active.record({ failure });
  if (!isAsked(job) && (await isRefused(services.database, job.repository.id, failure))) {
    return { kind: "gave-up", reason: refusedBefore };
  }
  const proposed = isAsked(job) ? null : await proposedBefore(repair, failure);
  if (proposed !== null) return { kind: "gave-up", reason: `pull request ${proposed} already proposes a repair of it` };
  if (base === null || loaded === null) return null;
  const check = { base: await loaded, branch: base.branch, red, trace };
  return onBase(repair, check.base, session, (own) => redOnBase({ ...check, session: own }, signal), signal);
}

/** A check may fail after a review has had the same failure repaired. */
function proposedBefore({ services, job }: CommitRepair, failure: string): Promise<number | null> {
  const { repository, sha } = job;
  return sha === null
    ? Promise.resolve(null)
    : findProposal(services.database, { repositoryId: repository.id, failure, sha });
}

/** The base runs with its own packages, since another version of one may be what the branch breaks. Null where it has none here. */
async function onBase(
  repair: Reproduced,
  checkout: Checkout,
  session: SandboxSession,
  run: (session: SandboxSession) => Promise<Outcome | null>,
  signal: AbortSignal,
): Promise<Outcome | null> {
  const { sandboxes, layer } = repair;
  // The repository's own branch names them, also where a stranger's would merge into it.
  const own = { ...installOf(repair, sandboxes), checkout, mayInstall: true };
  const installed = await installDependencies(own, signal);
  if (installed.kind === "failed") return null;
  if (installed.layer?.key === layer?.key) return run(session);
  await using fresh = await sandboxes.starter(installed.layer)(signal);
  return await run(fresh);
}

/** What the last person who gave one wrote beside the command. */
function hintOf({ causes }: FixJob): string | null {
  const hints = causes.flatMap((cause) => (cause.kind === "command" && cause.hint !== null ? [cause.hint] : []));
  return hints.at(-1) ?? null;
}
