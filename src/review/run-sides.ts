import { type Checkout, checkoutOfTree } from "../checkout/snapshot.ts";
import { isTestPath } from "../checkout/test-path.ts";
import { type EnvironmentProblem, environmentProblem } from "../runner/environment-problem.ts";
import type { TestRun } from "../runner/report.ts";
import { runTests } from "../runner/run-tests.ts";
import type { TestCommand } from "../runner/test-command.ts";
import type { SandboxSession } from "../sandbox/sandbox.ts";
import type { Trace } from "../trace/recorder.ts";
import { recordTestRun } from "../verify/record-test-run.ts";
import { isRed } from "../verify/target.ts";
import type { Change } from "./change.ts";
import { compareRuns, type RunComparison } from "./compare-runs.ts";

/** The suite of both sides of a change. */
export interface SidesRun {
  readonly base: TestRun;
  readonly head: TestRun;
  readonly comparison: RunComparison;
  /** Ids that were red on the head once and green when run again. */
  readonly wavering: readonly string[];
  /** The head's code with the base's tests; null when the change leaves the tests alone. */
  readonly oldTests: { readonly run: TestRun; readonly comparison: RunComparison } | null;
  /** Why a side cannot be judged here; null when both can. */
  readonly problem: EnvironmentProblem | null;
}

export interface SidesOptions {
  readonly change: Change;
  readonly command: TestCommand;
  readonly base: SandboxSession;
  readonly head: SandboxSession;
  /** Limit of one run, in milliseconds. */
  readonly timeoutMs: number;
  readonly trace: Trace;
}

/** How often what broke is run again before it counts. */
const reruns = 2;

/** Runs the suite on base and head, each in a sandbox of its own with its own packages, and compares test by test. */
export async function runSides(options: SidesOptions, signal: AbortSignal): Promise<SidesRun> {
  const { change, base: baseSession, head: headSession } = options;
  const base = await runOn(options, baseSession, change.base, "base", signal);
  const head = await runOn(options, headSession, change.head, "head", signal);
  const first = compareRuns(base, head);
  const wavering = await findWavering(options, first, signal);
  const comparison = without(first, wavering);
  const tree = await withOldTests(change, signal);
  const kept = tree && (await runOn(options, headSession, tree, "head with the base's tests", signal));
  return {
    base,
    head,
    comparison,
    wavering: [...wavering],
    oldTests: kept && { run: kept, comparison: without(compareRuns(base, kept), wavering) },
    problem: problemOf(base, change.base.paths) ?? ownProblem(problemOf(head, change.head.paths)),
  };
}

function problemOf(run: TestRun, paths: readonly string[]): EnvironmentProblem | null {
  return isRed(run) ? environmentProblem(run, paths) : null;
}

/** A package or a program that only the head lacks is what the change breaks; a service or a secret is none of its doing. */
function ownProblem(problem: EnvironmentProblem | null): EnvironmentProblem | null {
  return problem?.kind === "missing-service" || problem?.kind === "missing-secret" ? problem : null;
}

async function runOn(
  { command, timeoutMs, trace }: SidesOptions,
  session: SandboxSession,
  checkout: Checkout,
  purpose: string,
  signal: AbortSignal,
): Promise<TestRun> {
  await session.put(checkout.files(), { reset: true }, signal);
  const run = await runTests(session, command, { timeoutMs }, signal);
  recordTestRun(trace, `review: ${purpose}`, run);
  return run;
}

/** What is red once and green once on the same code says nothing about the change. The empty id stands for the run as a whole. */
async function findWavering(options: SidesOptions, seen: RunComparison, signal: AbortSignal): Promise<Set<string>> {
  const { command, head: session, timeoutMs, trace } = options;
  const ids = seen.broken.map(({ id }) => id);
  const wavering = new Set<string>();
  if (ids.length === 0 && !seen.brokenAsWhole) return wavering;
  for (let round = 0; round < reruns; round += 1) {
    const select = ids.length === 0 ? {} : { select: ids };
    const run = await runTests(session, command, { timeoutMs, ...select, locals: false }, signal);
    recordTestRun(trace, "review: head, again", run);
    const passed = run.report?.tests.filter(({ status }) => status === "passed").map(({ id }) => id) ?? [];
    for (const id of passed) if (ids.includes(id)) wavering.add(id);
    if (ids.length === 0 && !isRed(run)) wavering.add("");
  }
  return wavering;
}

function without(comparison: RunComparison, wavering: ReadonlySet<string>): RunComparison {
  const broken = comparison.broken.filter(({ id }) => !wavering.has(id));
  const onlyWavering = wavering.size > 0 && broken.length === 0;
  return { ...comparison, broken, brokenAsWhole: comparison.brokenAsWhole && !onlyWavering };
}

/** The head with the tests that the change touches as they are on the base; null when it touches none. New tests stay. */
async function withOldTests({ base, head, files }: Change, signal: AbortSignal): Promise<Checkout | null> {
  const touched = files.filter(({ file }) => isTestPath(file.previousPath ?? file.path) && file.status !== "added");
  if (touched.length === 0) return null;
  const changes = touched.flatMap(({ file }) => {
    const old = file.previousPath ?? file.path;
    const entry = base.entries.get(old);
    const restored = entry === undefined ? [] : [{ path: old, to: { mode: entry.mode, blob: entry.blob } }];
    return file.previousPath === null ? restored : [...restored, { path: file.path, to: null }];
  });
  if (changes.length === 0) return null;
  return checkoutOfTree(head.store, await head.store.changeTree(head.tree, changes, signal), signal);
}
