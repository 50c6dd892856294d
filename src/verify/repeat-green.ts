import type { TestRun } from "../runner/report.ts";
import type { RunTestsOptions } from "../runner/run-tests.ts";
import { notGreen, type Target } from "./target.ts";

export interface RepeatGreenOptions {
  readonly target: Target;
  /** The first green run; it counts. */
  readonly first: TestRun;
  run(purpose: string, options: Partial<RunTestsOptions>): Promise<TestRun>;
}

export type RepeatedGreen =
  | { readonly kind: "green"; readonly greenRuns: number }
  | { readonly kind: "red"; readonly how: string; readonly ids: readonly string[]; readonly run: TestRun };

const repeats = { least: 3, most: 20, withinMs: 30_000 };
/** Two fixed seeds and a random one, in turn: sets and dictionaries keyed by strings change their order with it. */
const hashSeeds = ["0", "1", "random"] as const;

/** Runs the target again until it was green at least three times, more often while that fits into 30 s, up to twenty times. */
export async function repeatGreen(options: RepeatGreenOptions): Promise<RepeatedGreen> {
  const { target } = options;
  const start = performance.now();
  let greenRuns = 1;
  while (greenRuns < repeats.most) {
    const each = (performance.now() - start) / Math.max(1, greenRuns - 1);
    if (greenRuns >= repeats.least && performance.now() - start + each > repeats.withinMs) break;
    const hashSeed = hashSeeds[(greenRuns - 1) % hashSeeds.length] ?? "random";
    const how = `run ${greenRuns + 1} (hash seed ${hashSeed})`;
    const select = target.ids ?? undefined;
    const run = await options.run(how, { hashSeed, select, locals: false });
    const ids = notGreen(run, target);
    if (ids.length > 0) return { kind: "red", how, ids, run };
    greenRuns += 1;
  }
  return { kind: "green", greenRuns };
}
