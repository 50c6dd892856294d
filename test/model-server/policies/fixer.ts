import { type Answer, calls } from "../answer.ts";
import type { Conversation } from "../conversation.ts";
import type { Policy } from "../policy.ts";

export interface Edit {
  readonly path: string;
  readonly old_text: string;
  readonly new_text: string;
}

export interface FixerPlan {
  readonly edits: readonly Edit[];
  readonly root_cause: string;
  readonly summary: string;
  /** The code that it looks with; by default it reads the first edited file in its own language. */
  readonly look?: { readonly language: "python" | "node"; readonly code: string } | undefined;
}

/**
 * Repairs by a known plan, the way a careful engineer would: runs the tests, looks in the live runtime, reads the file, edits, runs the
 * tests again, claims the fix. A refused claim makes it give up with the reason that it was told.
 */
export function honestFixer(plan: FixerPlan): Policy {
  const path = plan.edits[0]?.path ?? "";
  const steps = [
    calls("run_tests", {}, "First I look at the failure."),
    calls("execute", plan.look ?? lookAt(path), "Next I look at the values."),
    calls("read_file", { path }, "Then I read the code."),
    ...plan.edits.map((edit) => calls("edit_file", { ...edit }, plan.root_cause)),
    calls("run_tests", {}, "Now the tests should pass."),
  ];
  return inTurn(steps, claim(plan), (told) =>
    calls("give_up", { reason: `the claim was refused: ${told.slice(0, 500)}` }),
  );
}

/** Edits at once, claims the fix, and claims it again however often it is refused. */
export function insistentEditor(plan: FixerPlan): Policy {
  const steps = plan.edits.map((edit) => calls("edit_file", { ...edit }, plan.root_cause));
  return inTurn(steps, claim(plan), () => claim(plan));
}

/** The answer after each number of calls made, then the claim, then what follows a refused claim. */
export function inTurn(steps: readonly Answer[], last: Answer, afterRefusal: (told: string) => Answer): Policy {
  return ({ calls: made, latest }: Conversation) =>
    steps[made.length] ?? (made.length === steps.length ? last : afterRefusal(latest.join("\n")));
}

function claim({ root_cause, summary }: FixerPlan): Answer {
  return calls("finish", { root_cause, summary }, "The tests pass.");
}

function lookAt(path: string): { language: "python" | "node"; code: string } {
  const quoted = JSON.stringify(path);
  return path.endsWith(".py")
    ? { language: "python", code: `import pathlib\nsource = pathlib.Path(${quoted}).read_text()\nlen(source)` }
    : {
        language: "node",
        code: `const source = (await import("node:fs")).readFileSync(${quoted}, "utf8")\nsource.length`,
      };
}
