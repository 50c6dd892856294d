import type { FixResult } from "../job/outcome.ts";

/** The object that `autolith fix --json` prints as the last line of standard output. */
export function fixJson(result: FixResult, tracePath: string) {
  const { outcome, proof, spend, durationMs } = result;
  return {
    outcome: outcome.kind,
    reason: outcome.reason,
    iterations: spend.iterations,
    patch: outcome.kind === "fixed" ? outcome.repair.diff : null,
    proof,
    usage: {
      inputTokens: spend.inputTokens,
      cachedTokens: spend.cachedTokens,
      outputTokens: spend.outputTokens,
      costUsd: spend.costUsd,
    },
    durationMs: Math.round(durationMs),
    trace: tracePath,
  };
}
