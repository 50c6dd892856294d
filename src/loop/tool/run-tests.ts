import { z } from "zod";
import { describeRun } from "../../runner/describe-run.ts";
import { runTests as runInSandbox } from "../../runner/run-tests.ts";
import { notGreen } from "../../verify/target.ts";
import { observed, refused } from "../observation.ts";
import type { Tool } from "./tool.ts";

const args = z.object({
  tests: z
    .array(z.string().min(1))
    .optional()
    .describe("test ids as shown in results; without it the failing tests that you are to repair"),
});

/** Runs the target, or the named tests, in a fresh process. */
export const runTests: Tool<z.infer<typeof args>> = {
  name: "run_tests",
  description:
    "Run the failing tests (or the tests with the given ids) in a fresh process and show for each failure what was produced, what was expected, and the frames with their local variables.",
  arguments: args,
  touches: false,
  async run({ tests }, workspace, signal) {
    const { target, session, testRunMs } = workspace;
    if (tests !== undefined && target.command.runner === "command") {
      return refused(
        "The test command reports no single tests, so none can be chosen. Call run_tests without arguments.",
      );
    }
    const select = tests ?? target.ids;
    const run = await runInSandbox(
      session,
      target.command,
      { timeoutMs: testRunMs, ...(select === null ? {} : { select }) },
      signal,
    );
    workspace.lastTestRun = run;
    workspace.greenUntouched ||= tests === undefined && !workspace.touched && notGreen(run, target).length === 0;
    if (tests !== undefined && run.report?.tests.length === 0) {
      return refused(`No test has such an id: ${tests.join(", ")}\n${describeRun(run)}`);
    }
    return observed(describeRun(run, { ids: select }));
  },
};
