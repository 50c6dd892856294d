import type { Checkout } from "../checkout/snapshot.ts";
import { ModelError, messageOf } from "../errors.ts";
import type { Workspace } from "../loop/tool/tool.ts";
import type { Budget } from "../model/budget.ts";
import type { Model } from "../model/model.ts";
import { findDisagreements } from "../review/agreement.ts";
import { findBumps } from "../review/bumps.ts";
import { findCallSites } from "../review/call-sites.ts";
import { readChange } from "../review/change.ts";
import { classifyChange } from "../review/classify-change.ts";
import type { Facts } from "../review/facts.ts";
import { diffLines } from "../review/findings.ts";
import { type Look, lookAtChange } from "../review/look.ts";
import { diffForModel, reviewOpening } from "../review/review-prompt.ts";
import { runLogOf } from "../review/run-log.ts";
import { runSides } from "../review/run-sides.ts";
import { findTestChanges } from "../review/test-changes.ts";
import type { TestCommand } from "../runner/test-command.ts";
import type { SandboxSession, StartSandbox } from "../sandbox/sandbox.ts";
import type { Trace } from "../trace/recorder.ts";

/** A sandbox with the packages of one side; `reason` is one line for a person. */
export type Side =
  | { readonly kind: "ready"; readonly start: StartSandbox }
  | { readonly kind: "failed"; readonly reason: string };

export interface ReviewOptions {
  readonly base: Checkout;
  readonly head: Checkout;
  readonly baseSha: string;
  readonly headSha: string;
  /** How the tests are run, as the base says; null when it is not known. */
  readonly command: TestCommand | null;
  /** A bot whose only business are versions wrote it. */
  readonly isBumpOnly: boolean;
  /** The head is a stranger's: what it asks for may be left out of its packages. */
  readonly isFork: boolean;
  readonly prepare: (checkout: Checkout, signal: AbortSignal) => Promise<Side>;
  readonly model: Model;
  readonly budget: Budget;
  readonly trace: Trace;
  readonly testRunMs: number;
  readonly executionMs: number;
}

/** What a review found out. */
export interface Reviewed {
  readonly facts: Facts;
  /** Null when a model had nothing to look at. */
  readonly look: Look | null;
}

/** Reviews one change: reads it, runs both sides, and lets a model look at what the facts leave open. Rejects for broken sandboxes only. */
export async function reviewChange(options: ReviewOptions, signal: AbortSignal): Promise<Reviewed> {
  const { base, head, baseSha, headSha, command, isBumpOnly, trace } = options;
  const change = await readChange(base, head, signal);
  const known: Facts = {
    ...{ change, baseSha, headSha, isBumpOnly },
    command: command?.shell ?? null,
    classification: classifyChange(change.files),
    bumps: findBumps(change.files),
    disagreements: await findDisagreements(change),
    testChanges: findTestChanges(change.files),
    ...{ callSites: [], runs: null, gap: null, brokenInstall: null },
  };
  // No test of the project runs its workflows.
  if (change.files.every(({ role }) => role === "workflow")) return { facts: known, look: null };
  const sides = await prepareSides(options, signal);
  if (sides.kind === "gap") return { facts: { ...known, ...sides.facts }, look: null };
  await using session = await trace.stage("sandbox", () => sides.head(signal));
  const runs =
    command && (await trace.stage("triage", () => runBoth(options, { ...sides, session, command, known }, signal)));
  await session.put(head.files(), { reset: true }, signal);
  const callSites = await sitesOf(known, head, session, signal);
  const facts = { ...known, runs, callSites, gap: command === null ? "it is not known how the tests are run" : null };
  return { facts, look: await look(options, facts, session, signal) };
}

type Sides =
  | { readonly kind: "both"; readonly base: StartSandbox; readonly head: StartSandbox }
  | { readonly kind: "gap"; readonly facts: Pick<Facts, "gap" | "brokenInstall"> };

/** A head whose packages cannot be installed where those of the base can is a fact of its own. */
async function prepareSides({ base, head, prepare, isFork }: ReviewOptions, signal: AbortSignal): Promise<Sides> {
  const before = await prepare(base, signal);
  if (before.kind === "failed")
    return { kind: "gap", facts: { gap: `on the base, ${before.reason}`, brokenInstall: null } };
  const after = await prepare(head, signal);
  if (after.kind === "failed" && isFork) return { kind: "gap", facts: { gap: after.reason, brokenInstall: null } };
  if (after.kind === "failed") return { kind: "gap", facts: { gap: null, brokenInstall: after.reason } };
  return { kind: "both", base: before.start, head: after.start };
}

interface Running {
  readonly base: StartSandbox;
  readonly session: SandboxSession;
  readonly command: TestCommand;
  readonly known: Facts;
}

async function runBoth({ testRunMs: timeoutMs, trace }: ReviewOptions, running: Running, signal: AbortSignal) {
  const { command, session: head, known } = running;
  await using base = await running.base(signal);
  return await runSides({ change: known.change, command, base, head, timeoutMs, trace }, signal);
}

/** Packages that are looked for in the code, when a change bumps many. */
const mostSearched = 10;

async function sitesOf({ bumps }: Facts, head: Checkout, session: SandboxSession, signal: AbortSignal) {
  const found: { name: string; sites: Awaited<ReturnType<typeof findCallSites>> }[] = [];
  for (const bump of bumps.filter(({ direct, to }) => direct && to !== null).slice(0, mostSearched)) {
    found.push({ name: bump.name, sites: await findCallSites(bump, head, session, signal) });
  }
  return found;
}

/** A model is asked only where there is code to think about, and not about more than it could read. */
async function look(
  options: ReviewOptions,
  facts: Facts,
  session: SandboxSession,
  signal: AbortSignal,
): Promise<Look | null> {
  const { classification, callSites, change, runs } = facts;
  const isCode = classification.kind === "code" || callSites.some(({ sites }) => sites.length > 0);
  if (!isCode || runs?.problem != null) return null;
  const diff = diffForModel(change.files);
  if (diff === null) return { findings: [], dropped: 0, stopped: "the diff is too large for a model to review" };
  const { model, budget, trace, command } = options;
  const workspace = workspaceOf(
    options,
    session,
    command ?? { shell: "true", cwd: "/work", env: {}, runner: "command" },
  );
  const work = { model, budget, trace, workspace, opening: reviewOpening(facts, diff) };
  try {
    return await trace.stage("loop", () =>
      lookAtChange({ ...work, lines: diffLines({ files: change.files }), runs: runLogOf(runs) }, signal),
    );
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { findings: [], dropped: 0, stopped: messageOf(error) };
  }
}

function workspaceOf(
  { head, executionMs, testRunMs }: ReviewOptions,
  session: SandboxSession,
  command: TestCommand,
): Workspace {
  return {
    ...{ session, checkout: head, target: { command, ids: null }, executionMs, testRunMs },
    created: new Set(),
    judge: async () => [],
    refusedEdits: [],
    epoch: 0,
    lastTestRun: null,
    touched: false,
    greenUntouched: false,
  };
}
