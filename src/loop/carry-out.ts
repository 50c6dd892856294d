import type { ToolCall } from "../model/model.ts";
import { excerpt } from "../runner/excerpt.ts";
import type { Proof } from "../verify/proof.ts";
import { recordTestRun } from "../verify/record-test-run.ts";
import { type Claim, settleClaim } from "./finish.ts";
import type { LoopOptions } from "./loop.ts";
import { type Observation, observationChars, observed, refused } from "./observation.ts";
import type { ShownObservations } from "./shown-observations.ts";
import { actionOf } from "./tool/tools.ts";

/** What came of one tool call. */
export type Act =
  | { readonly kind: "observed"; readonly shown: string }
  | { readonly kind: "gave-up"; readonly reason: string }
  /** The target was green though nothing had been changed. */
  | { readonly kind: "flaky"; readonly detail: string }
  | {
      readonly kind: "claimed";
      readonly claim: Claim;
      readonly rootCause: string;
      readonly summary: string;
      readonly shown: string;
    };

/** Carries a tool call out and takes down what came of it. */
export async function carryOut(
  call: ToolCall,
  options: LoopOptions & { readonly shown: ShownObservations },
  iteration: number,
  signal: AbortSignal,
): Promise<Act> {
  const { workspace, trace } = options;
  const action = actionOf(call);
  const start = performance.now();
  const note = (observation: Observation): string => {
    const shown = options.shown.shape(call, iteration, excerpt(observation.text, observationChars));
    const full = shown === observation.text ? null : observation.text;
    trace.record({
      type: "observation",
      iteration,
      toolCallId: call.id,
      tool: call.name,
      shown,
      full,
      durationMs: performance.now() - start,
    });
    return shown;
  };
  switch (action.kind) {
    case "give-up":
      return { kind: "gave-up", reason: action.reason };
    case "observe": {
      const before = workspace.lastTestRun;
      workspace.touched ||= action.touches;
      const shown = note(await action.run(workspace, signal));
      if (workspace.lastTestRun !== null && workspace.lastTestRun !== before) {
        recordTestRun(trace, `iteration ${iteration}`, workspace.lastTestRun);
      }
      if (workspace.greenUntouched)
        return { kind: "flaky", detail: "the target was red before, and green now without any change" };
      return { kind: "observed", shown };
    }
    case "finish": {
      const claim = await settleClaim(workspace, options.provePatch, signal);
      options.claims.proof = claim.kind === "proven" ? claim.verdict.proof : claim.proof;
      if (claim.kind === "refused") options.claims.refusals += 1;
      trace.record({
        type: "verified",
        accepted: claim.kind === "proven",
        reasons: claim.kind === "refused" ? [...claim.reasons] : claim.kind === "flaky" ? [claim.detail] : [],
        proof: plainProof(options.claims.proof),
        tree: claim.kind === "proven" ? claim.verdict.tree : null,
        durationMs: performance.now() - start,
      });
      const shown = note(claim.kind === "refused" ? refused(refusalText(claim.reasons)) : observed(claim.kind));
      return { kind: "claimed", claim, rootCause: action.rootCause, summary: action.summary, shown };
    }
  }
}

function refusalText(reasons: readonly string[]): string {
  return `The claim is refused:\n${reasons.map((reason) => `- ${reason}`).join("\n")}`;
}

function plainProof(proof: Proof) {
  return { ...proof, regressions: [...proof.regressions], findings: proof.findings.map((finding) => ({ ...finding })) };
}
