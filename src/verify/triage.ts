import type { Checkout } from "../checkout/snapshot.ts";
import { type EnvironmentProblem, environmentProblem } from "../runner/environment-problem.ts";
import type { TestRun } from "../runner/report.ts";
import { runTests } from "../runner/run-tests.ts";
import type { TestCommand } from "../runner/test-command.ts";
import type { SandboxSession } from "../sandbox/sandbox.ts";
import type { Trace } from "../trace/recorder.ts";
import { recordTestRun } from "./record-test-run.ts";
import { isRed, redIds, redKey, type Target, targetOf } from "./target.ts";

/** What the start commit shows when its tests are run, before any token is spent. */
export type Triage =
  | { readonly kind: "red"; readonly target: Target; readonly run: TestRun; readonly timeoutMs: number }
  | { readonly kind: "not-reproduced"; readonly runs: number; readonly passed: number | null }
  | { readonly kind: "flaky"; readonly red: number; readonly runs: number; readonly ids: readonly string[] }
  | { readonly kind: "environment"; readonly detail: string };

export interface TriageOptions {
  readonly session: SandboxSession;
  readonly checkout: Checkout;
  readonly command: TestCommand;
  /** Limit of one test run. */
  readonly timeoutMs: number;
  /** True when the packages that the project names were installed. */
  readonly installed?: boolean;
  readonly trace: Trace;
}

const usualRuns = { least: 2, most: 5, withinMs: 10_000 };
/** Runs made once two runs disagreed, to state a rate. */
const flakyRuns = { most: 10, withinMs: 60_000 };

/**
 * Runs the tests at the start commit until their result is known: red alike, green, or flaky. Each run starts from a clean
 * workspace, as CI does.
 */
export async function triage(options: TriageOptions, signal: AbortSignal): Promise<Triage> {
  const runs: TestRun[] = [];
  const start = performance.now();
  const elapsed = () => performance.now() - start;

  async function runOnce(): Promise<TestRun> {
    await options.session.put(options.checkout.files(), { reset: true }, signal);
    const timeoutMs = runs[0] === undefined ? options.timeoutMs : laterTimeout(runs[0], options.timeoutMs);
    const run = await runTests(options.session, options.command, { timeoutMs }, signal);
    runs.push(run);
    recordTestRun(options.trace, `triage ${runs.length}`, run);
    return run;
  }

  const first = await runOnce();
  if (isRed(first)) {
    const problem = environmentProblem(first, options.checkout.paths);
    if (problem !== null) return { kind: "environment", detail: detailOf(problem, options.installed === true) };
  }
  if (first.result.status === "timeout") return redTriage(options, first);

  while (
    agree(runs) &&
    (runs.length < usualRuns.least || (runs.length < usualRuns.most && fits(runs, elapsed(), usualRuns.withinMs)))
  ) {
    await runOnce();
  }
  if (agree(runs)) {
    if (isRed(first)) return redTriage(options, first);
    return {
      kind: "not-reproduced",
      runs: runs.length,
      passed: first.report?.tests.filter((test) => test.status === "passed").length ?? null,
    };
  }
  while (runs.length < flakyRuns.most && fits(runs, elapsed(), flakyRuns.withinMs)) await runOnce();
  return flakyTriage(runs);
}

/** What is missing, in words. */
export function detailOf({ kind, detail }: EnvironmentProblem, installed: boolean): string {
  if (kind !== "missing-package" || !installed) return detail;
  return `${detail}, though what the project names was installed: \`setup:\` in .github/autolith.yml can install more`;
}

/** Five times what the tests themselves took, at least 30 s, never more than the limit: a hang costs little after the first. */
export function laterTimeout(run: TestRun, limitMs: number): number {
  const ownMs =
    run.result.status === "timeout"
      ? (run.report?.tests.reduce((sum, test) => sum + test.durationMs, 0) ?? 0)
      : run.result.durationMs;
  return Math.min(limitMs, Math.max(30_000, 5 * ownMs));
}

function redTriage(options: TriageOptions, run: TestRun): Triage {
  return { kind: "red", target: targetOf(options.command, run), run, timeoutMs: laterTimeout(run, options.timeoutMs) };
}

function flakyTriage(runs: readonly TestRun[]): Triage {
  const counts = new Map<string, number>();
  for (const id of runs.flatMap((run) => redIds(run))) counts.set(id, (counts.get(id) ?? 0) + 1);
  const ids = [...counts].filter(([, count]) => count < runs.length).map(([id]) => id);
  return { kind: "flaky", red: runs.filter(isRed).length, runs: runs.length, ids };
}

function agree(runs: readonly TestRun[]): boolean {
  return new Set(runs.map(redKey)).size <= 1;
}

/** True when one more run of the usual length ends within the time. */
function fits(runs: readonly TestRun[], elapsedMs: number, withinMs: number): boolean {
  return elapsedMs + elapsedMs / Math.max(1, runs.length) <= withinMs;
}
