import type { Checkout } from "../checkout/snapshot.ts";
import type { ProvenPatch } from "../loop/finish.ts";
import type { LoopEnd } from "../loop/loop.ts";
import type { Triage } from "../verify/triage.ts";
import type { Outcome } from "./outcome.ts";

/** The outcome of a triage that found nothing to repair. */
export function outcomeOfTriage(triage: Exclude<Triage, { kind: "red" }>): Outcome {
  switch (triage.kind) {
    case "not-reproduced": {
      const what = triage.passed === null ? "the command succeeded" : `all ${triage.passed} tests passed`;
      return {
        kind: "not-reproduced",
        reason: `${what} in ${triage.runs} of ${triage.runs} runs; nothing to repair here`,
      };
    }
    case "flaky": {
      const which = triage.ids.length === 0 ? "" : `: ${triage.ids.slice(0, 3).join(", ")}`;
      return {
        kind: "flaky",
        reason: `red in ${triage.red} of ${triage.runs} runs of the same code${which}; make the test reliable first`,
      };
    }
    case "environment":
      return { kind: "environment", reason: `it cannot run here: ${triage.detail}` };
  }
}

/** The outcome of a loop; a proven repair gets its diff. */
export async function outcomeOfLoop(
  end: LoopEnd<ProvenPatch>,
  checkout: Checkout,
  signal: AbortSignal,
): Promise<Outcome> {
  switch (end.kind) {
    case "held": {
      const { held, rootCause, summary } = end;
      const { patch, verdict } = held;
      const diff = await checkout.store.diff(checkout.tree, verdict.tree, signal);
      const files = `${patch.length} ${patch.length === 1 ? "file" : "files"}`;
      return {
        kind: "fixed",
        reason: `proven in a fresh container: red before, green in ${verdict.greenRuns} runs with the patch, red again without it (${files} changed)`,
        repair: { patch, tree: verdict.tree, diff, rootCause, summary, greenRuns: verdict.greenRuns },
      };
    }
    case "exhausted":
      return { kind: "exhausted", limit: end.limit, reason: `${end.limit}: ${end.detail}` };
    case "stuck":
      return { kind: "stuck", reason: end.reason };
    case "gave-up":
      return { kind: "gave-up", reason: `the model gave up: ${end.reason.replace(/\s+/g, " ").trim()}` };
    case "rejected":
      return { kind: "rejected", reason: `the repair was refused three times; last: ${firstLine(end.reasons)}` };
    case "flaky":
      return { kind: "flaky", reason: end.detail };
  }
}

function firstLine(reasons: readonly string[]): string {
  return (reasons[0] ?? "").split("\n")[0] ?? "";
}
