import type { Checkout } from "../checkout/snapshot.ts";
import type { ProvenPatch } from "../loop/finish.ts";
import type { LoopEnd } from "../loop/loop.ts";
import type { Reproduction } from "../verify/verify-reproduction.ts";
import type { Outcome } from "./outcome.ts";
import { outcomeOfLoop } from "./outcome-of.ts";

const notShown = "no test was found that shows what was reported";

/** The outcome when no test shows what was reported. */
export function outcomeOfReproduction(end: Exclude<LoopEnd<Reproduction>, { kind: "held" }>): Outcome {
  switch (end.kind) {
    case "exhausted":
      return { kind: "exhausted", limit: end.limit, reason: `${end.limit}: ${end.detail}; ${notShown}` };
    case "stuck":
      return { kind: "stuck", reason: `${end.reason}; ${notShown}` };
    case "gave-up":
      return { kind: "not-reproduced", reason: notShown };
    case "rejected":
      return { kind: "not-reproduced", reason: `${notShown}; three were refused, last: ${firstLine(end.reasons)}` };
    case "flaky":
      return { kind: "not-reproduced", reason: `${notShown}: ${end.detail}` };
  }
}

/** The outcome of a repair that was held against a frozen test. What is published is both, as one change of the start commit. */
export async function outcomeOfIssue(
  end: LoopEnd<ProvenPatch>,
  start: Checkout,
  { test, frozen }: Reproduction,
  signal: AbortSignal,
): Promise<Outcome> {
  const outcome = await outcomeOfLoop(end, frozen, signal);
  if (outcome.kind !== "fixed") return outcome;
  const { repair } = outcome;
  const patch = [...repair.patch, test].sort((a, b) => (a.path < b.path ? -1 : 1));
  const diff = await start.store.diff(start.tree, repair.tree, signal);
  return { ...outcome, repair: { ...repair, patch, diff } };
}

function firstLine(reasons: readonly string[]): string {
  return (reasons[0] ?? "").split("\n")[0] ?? "";
}
