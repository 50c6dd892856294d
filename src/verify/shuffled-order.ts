import type { RunnerName, TestRun } from "../runner/report.ts";
import { notGreen, type Target } from "./target.ts";

export interface ShuffledOrderOptions {
  readonly target: Target;
  /** The whole suite without the patch, in its own order. */
  readonly before: TestRun;
  runPatched(seed: number): Promise<TestRun>;
  runUnpatched(seed: number): Promise<TestRun>;
}

export type ShuffledOrder =
  | { readonly kind: "holds" }
  | { readonly kind: "red"; readonly seed: number; readonly ids: readonly string[]; readonly run: TestRun };

/** Runners whose order can be chosen. */
const shufflers: ReadonlySet<RunnerName> = new Set<RunnerName>(["pytest", "unittest", "vitest", "jest"]);
const seeds = [1, 2] as const;
/** Above this a suite is too slow to be run again for its order alone. */
const suiteMs = 10_000;

/**
 * Runs the whole suite in other orders: a repair that leans on another test's leftovers falls over. An order counts only when
 * the tests that are green without the patch are green in it too; else the suite itself depends on its order.
 */
export async function shuffledOrder(options: ShuffledOrderOptions): Promise<ShuffledOrder> {
  const { target, before } = options;
  if (!shufflers.has(target.command.runner) || before.result.durationMs > suiteMs) return { kind: "holds" };
  for (const seed of seeds) {
    const run = await options.runPatched(seed);
    const ids = notGreen(run, target).filter((id) => target.ids?.includes(id));
    if (ids.length === 0) continue;
    const unpatched = await options.runUnpatched(seed);
    if (greenAsBefore(before, unpatched)) return { kind: "red", seed, ids, run };
  }
  return { kind: "holds" };
}

function greenAsBefore(before: TestRun, shuffled: TestRun): boolean {
  const passed = new Set(shuffled.report?.tests.filter((test) => test.status === "passed").map((test) => test.id));
  return (before.report?.tests ?? []).every((test) => test.status !== "passed" || passed.has(test.id));
}
