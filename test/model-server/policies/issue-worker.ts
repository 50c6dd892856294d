import { type Answer, calls } from "../answer.ts";
import type { Policy } from "../policy.ts";
import { type Edit, type FixerPlan, inTurn } from "./fixer.ts";

export interface IssuePlan {
  /** The new test file. */
  readonly test: Edit;
  /** What it shows. */
  readonly shows: string;
  readonly repair: FixerPlan;
  /** The code that it looks with. */
  readonly look: { readonly language: "python" | "node"; readonly code: string };
}

/**
 * Works on a report the way a careful engineer would: looks, writes a test, sees it fail, claims the reproduction, then repairs, sees it
 * pass, claims the repair. A refused claim makes it give up with the reason that it was told.
 */
export function issueWorker({ test, shows, repair, look }: IssuePlan): Policy {
  const steps = [
    calls("execute", look, "First I look at what was reported."),
    calls("edit_file", { ...test }, "Now I write a test that shows it."),
    calls("run_tests", {}, "It should fail."),
    calls("finish", { root_cause: repair.root_cause, summary: shows }, "The test shows what was reported."),
    ...repair.edits.map((edit) => calls("edit_file", { ...edit }, repair.root_cause)),
    calls("run_tests", {}, "Now the test should pass."),
  ];
  const claim = calls("finish", { root_cause: repair.root_cause, summary: repair.summary }, "The tests pass.");
  const otherwise = inTurn(steps, claim, givesUpAs);
  return (conversation) => {
    const last = conversation.calls.at(-1);
    const isRefused = last?.tool === "finish" && last.observation.startsWith("The claim is refused");
    return isRefused ? givesUpAs(last.observation) : otherwise(conversation);
  };
}

function givesUpAs(told: string): Answer {
  return calls("give_up", { reason: `the claim was refused: ${told.slice(0, 500)}` });
}

/** Writes a test file, and claims until the end that it shows the report. */
export function insistentReporter(test: Edit): Policy {
  const claim = calls("finish", { root_cause: "The code is wrong.", summary: "The test shows it." });
  return inTurn([calls("edit_file", { ...test })], claim, () => claim);
}
