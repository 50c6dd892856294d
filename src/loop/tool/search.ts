import { z } from "zod";
import { showHidden } from "../../hidden-characters.ts";
import { observed, refused } from "../observation.ts";
import type { Tool } from "./tool.ts";

const args = z.object({
  pattern: z.string().min(1).describe("Perl-compatible regular expression"),
  glob: z.string().min(1).optional().describe("only files that match, such as src/**/*.py"),
});

/** Finds lines in the workspace. */
export const search: Tool<z.infer<typeof args>> = {
  name: "search",
  description:
    "Search the workspace's files with a regular expression; shows file:line: text. Ignored files are left out.",
  arguments: args,
  touches: false,
  async run({ pattern, glob }, workspace, signal) {
    const limits = ["-m", "50"];
    const argv = ["git", "grep", "--no-index", "--exclude-standard", "-nIP", ...limits, "-e", pattern, "--"];
    if (glob !== undefined) argv.push(`:(glob)${glob}`);
    const result = await workspace.session.run(
      {
        argv,
        cwd: "/work",
        env: { GIT_CONFIG_GLOBAL: "/dev/null", LC_ALL: "C.UTF-8" },
        timeoutMs: workspace.executionMs,
        report: false,
      },
      signal,
    );
    if (result.exitCode === 1 && result.stderr.text.trim() === "") return observed("No line matches.");
    if (result.exitCode !== 0)
      return refused(`The search could not be made: ${result.stderr.text.trim() || result.status}`);
    const lines = result.stdout.text.trimEnd().split("\n");
    const cut = lines.map((line) => showHidden(line.length > 300 ? `${line.slice(0, 300)}…` : line));
    return observed(`${lines.length} lines match\n${cut.join("\n")}`);
  },
};
