import type { Answer } from "../answer.ts";
import type { Conversation } from "../conversation.ts";
import type { Policy } from "../policy.ts";

/** One answer, or how to make it from what was observed; a step that throws fails the test. */
export type ScriptStep = Answer | ((conversation: Conversation) => Answer);

/** Answers by a list, one step a request. A request after the last step is a surprise, and steps that nobody asked for are left over. */
export function scripted(steps: readonly ScriptStep[]): Policy {
  let position = 0;
  const policy: Policy = (conversation) => {
    const step = steps[position];
    position += 1;
    if (step === undefined)
      throw new Error(`surprise call: request ${position} of a script with ${steps.length} steps`);
    return typeof step === "function" ? step(conversation) : step;
  };
  policy.leftovers = () =>
    position >= steps.length ? [] : [`the script expected ${steps.length} requests and got ${position}`];
  return policy;
}
