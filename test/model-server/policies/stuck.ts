import { type Answer, calls, callsAll, type ScriptedCall, says } from "../answer.ts";
import type { Policy } from "../policy.ts";

/** Makes the same call for ever, whatever comes back; by default an edit whose text is nowhere in the file. */
export function looper(
  call: ScriptedCall = { tool: "edit_file", arguments: { path: "README.md", old_text: "no such text", new_text: "x" } },
): Policy {
  return () => callsAll([call], "This time it will work.");
}

/** Talks about the failure, never the same sentence twice, and calls no tool. */
export function chatterbox(): Policy {
  return ({ turns }) =>
    says(
      `Thought ${turns + 1}: the failure is most interesting. I would now run the tests, read the code, and then think again.`,
    );
}

/** Gives up after a look. */
export function givesUp(reason = "the test contradicts the documentation"): Policy {
  return ({ calls: made }) => (made.length === 0 ? calls("run_tests", {}) : calls("give_up", { reason }));
}

/** Calls that no tool can carry out, each wrong in its own way. */
export const wrongCalls: readonly Answer[] = [
  calls("edit_file", '{"path": "a.py", "old_text": "x'),
  calls("execute", ""),
  calls("execute", '["python", "1"]'),
  calls("read_file", {}),
  calls("read_file", { path: 7 }),
  calls("shell", { command: "ls", sudo: true }),
  calls("deploy", { target: "production" }),
  calls("execute", { language: "cobol", code: "DISPLAY 1" }),
];

/** Makes every wrong call once, then goes on by another policy (which sees those calls too); gives up by default. */
export function malformedArguments(then: Policy = () => calls("give_up", { reason: "no call was accepted" })): Policy {
  return (conversation) => {
    const made = conversation.calls.length;
    const remaining = {
      ...conversation,
      calls: conversation.calls.slice(wrongCalls.length),
      turns: conversation.turns - wrongCalls.length,
    };
    return wrongCalls[made] ?? then(remaining);
  };
}
