import { parse, quote } from "shell-quote";
import { readReportLines } from "./report-lines.ts";
import type { Runner } from "./runner.ts";

/** In the image, read-only. */
const reporter = "/opt/autolith/plugins/autolith_node_test.mjs";

/** node:test, with our reporter beside the command's own; it is added by environment, so the command stays as it is. */
export const nodeTest: Runner = {
  name: "node-test",
  request({ shell, cwd, env }, { select }) {
    const options = [env["NODE_OPTIONS"], `--import=${reporter}`].filter((each) => each !== undefined);
    return {
      argv: ["sh", "-c", select === undefined ? shell : (onlyFiles(shell, filesOf(select)) ?? shell)],
      cwd,
      env: { ...env, NODE_OPTIONS: options.join(" ") },
      report: true,
      input: JSON.stringify({ select: select ?? null }),
    };
  },
  read: (report) => (report === null ? null : readReportLines(report)),
};

function filesOf(ids: readonly string[]): string[] {
  return [...new Set(ids.map((id) => id.split(" > ")[0] ?? id))];
}

/** The command for the given files only; null when it is more than one plain `node --test`, which is then run whole. */
function onlyFiles(shell: string, files: readonly string[]): string | null {
  const words = parse(shell, (name: string) => `$${name}`);
  if (!words.every((word) => typeof word === "string" || ("op" in word && word.op === "glob"))) return null;
  const texts = words.map((word) => (typeof word === "string" ? word : "pattern" in word ? word.pattern : ""));
  const [program, ...rest] = texts;
  if (program !== "node" || !rest.includes("--test") || texts.some((text) => text.includes("$"))) return null;
  return quote([program, ...rest.filter((word) => word.startsWith("-")), ...files]);
}
