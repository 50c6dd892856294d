import { z } from "zod";
import { describeExecution, observed } from "../observation.ts";
import type { Tool } from "./tool.ts";

const args = z.object({
  language: z.enum(["python", "node"]).describe("which live runtime"),
  code: z.string().min(1).describe("code to run; the value of the last expression is shown"),
});

/** Runs code in the live runtime, whose variables stay. */
export const execute: Tool<z.infer<typeof args>> = {
  name: "execute",
  description:
    "Run code in a live Python or Node process in the workspace. Variables and imports stay between calls. Shows output, the value of the last expression, and on an exception every frame with its local variables. Use it to look at real values before you edit.",
  arguments: args,
  touches: true,
  async run({ language, code }, workspace, signal) {
    const result = await workspace.session.execute({ language, code, timeoutMs: workspace.executionMs }, signal);
    const lost = workspace.epoch !== 0 && result.epoch !== workspace.epoch;
    workspace.epoch = result.epoch;
    const warning = lost
      ? "The live runtime was restarted: variables and imports from earlier executions are gone.\n"
      : "";
    return observed(`${warning}${describeExecution(result)}`);
  },
};
