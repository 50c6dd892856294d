import type { ToolCall } from "../model/model.ts";
import { excerpt } from "../runner/excerpt.ts";
import { recordTestRun } from "../verify/record-test-run.ts";
import type { LoopOptions } from "./loop.ts";
import { type Observation, observationChars, observed, refused } from "./observation.ts";
import type { Settled } from "./settle.ts";
import { actionOf } from "./tool/tools.ts";

/** What came of one tool call. */
export type Act<Held> =
  | { readonly kind: "observed"; readonly shown: string }
  | { readonly kind: "gave-up"; readonly reason: string }
  /** The target was green though nothing had been changed. */
  | { readonly kind: "flaky"; readonly detail: string }
  | {
      readonly kind: "claimed";
      readonly settled: Settled<Held>;
      readonly rootCause: string;
      readonly summary: string;
      readonly shown: string;
    };

/** Carries a tool call out and takes down what came of it. */
export async function carryOut<Held>(
  call: ToolCall,
  options: LoopOptions<Held>,
  iteration: number,
  signal: AbortSignal,
): Promise<Act<Held>> {
  const { workspace, trace } = options;
  const action = actionOf(call);
  const start = performance.now();
  const note = (observation: Observation): string => {
    const shown = options.conversation.shown.shape(call, iteration, excerpt(observation.text, observationChars));
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
      const settled = await options.settle(signal);
      if (settled.kind === "refused") options.claims.refusals += 1;
      const { rootCause, summary } = action;
      return { kind: "claimed", settled, rootCause, summary, shown: note(observationOf(settled)) };
    }
  }
}

function observationOf(settled: Settled<unknown>): Observation {
  switch (settled.kind) {
    case "held":
      return observed(settled.told);
    case "flaky":
      return observed("flaky");
    case "refused":
      return refused(refusalText(settled.reasons));
  }
}

function refusalText(reasons: readonly string[]): string {
  return `The claim is refused:\n${reasons.map((reason) => `- ${reason}`).join("\n")}`;
}
