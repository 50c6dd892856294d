import { z } from "zod";
import { observed, stream } from "../observation.ts";
import type { Tool } from "./tool.ts";

const args = z.object({ command: z.string().min(1).describe("run by sh in the workspace") });

/** One command in the workspace; nothing stays but files. */
export const shell: Tool<z.infer<typeof args>> = {
  name: "shell",
  description:
    "Run one shell command in the workspace. There is no network. Files stay; processes, variables and the working directory do not.",
  arguments: args,
  touches: true,
  async run({ command }, workspace, signal) {
    const result = await workspace.session.run(
      { argv: ["sh", "-c", command], cwd: "/work", env: {}, timeoutMs: workspace.executionMs, report: false },
      signal,
    );
    const ending =
      result.status === "exited"
        ? `exit status ${result.exitCode}`
        : `${result.status}${result.signal === null ? "" : ` (${result.signal})`}`;
    const parts = [
      `${ending}, ${(result.durationMs / 1000).toFixed(2)} s`,
      stream("stdout", result.stdout),
      stream("stderr", result.stderr),
    ];
    return observed(parts.filter((part) => part !== "").join("\n"));
  },
};
