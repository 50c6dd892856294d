import { ModelError, messageOf, SandboxError } from "../errors.ts";
import type { Claims } from "../loop/loop.ts";
import type { Budget } from "../model/budget.ts";
import type { Trace } from "../trace/recorder.ts";
import type { FixResult, Outcome } from "./outcome.ts";

export interface Settling {
  readonly budget: Budget;
  readonly trace: Trace;
  /** Aborted when somebody cancels the job. */
  readonly signal: AbortSignal;
}

const longestReason = 600;

/**
 * Runs a repair to an outcome, whatever the repository, the model or the sandbox does: cancelling, the end of the wall time and broken
 * infrastructure become outcomes, which are recorded. Rejects only for bugs and wrong use.
 */
export async function settled(
  settling: Settling,
  repair: (claims: Claims, signal: AbortSignal) => Promise<Outcome>,
): Promise<FixResult> {
  const { budget, trace } = settling;
  const start = performance.now();
  const claims: Claims = { proof: null, refusals: 0 };
  const end = await outcomeOf(settling, claims, repair);
  const outcome = { ...end, reason: oneLine(end.reason) };
  const durationMs = performance.now() - start;
  const { iterations, ...usage } = budget.spend;
  trace.record({ type: "outcome", outcome: outcome.kind, reason: outcome.reason, iterations, usage, durationMs });
  return { outcome, proof: claims.proof, spend: budget.spend, durationMs };
}

async function outcomeOf(
  { budget, signal }: Settling,
  claims: Claims,
  repair: (claims: Claims, signal: AbortSignal) => Promise<Outcome>,
): Promise<Outcome> {
  const deadline = AbortSignal.timeout(budget.remainingMs);
  try {
    return await repair(claims, AbortSignal.any([signal, deadline]));
  } catch (error) {
    if (signal.aborted) return { kind: "cancelled", reason: "cancelled before it was done" };
    if (deadline.aborted) {
      const seconds = Math.round(budget.limits.wallTimeMs / 1000);
      return { kind: "exhausted", limit: "time", reason: `time: the limit of ${seconds} s was reached` };
    }
    if (error instanceof SandboxError || error instanceof ModelError) {
      return { kind: "infrastructure", reason: messageOf(error), mayPass: error instanceof SandboxError };
    }
    throw error;
  }
}

/** Reasons quote models and endpoints; a person gets one line. */
function oneLine(reason: string): string {
  const flat = reason.replace(/\s+/g, " ").trim();
  return flat.length > longestReason ? `${flat.slice(0, longestReason - 1)}…` : flat;
}
