import { onlyFiles } from "./node-test-command.ts";
import { prefixVariable } from "./prefix-variable.ts";
import { readReport } from "./read-report.ts";
import { pluginFolder, type Runner } from "./runner.ts";

/**
 * node:test, with our reporter beside the command's own. Both are given by NODE_OPTIONS, which Node 20 and later take
 * for them. Chosen tests are run by running the files that hold them, when the command is one plain `node --test`; else
 * everything runs.
 */
export const nodeTest: Runner = {
  name: "node-test",
  request(command, { timeoutMs, select, locals = true, reach = false }) {
    const options = nodeOptions(command.shell);
    const { shell, env } = prefixVariable(command, "NODE_OPTIONS", { prefix: options, separator: " " });
    const files = [...new Set(select?.map((id) => id.split(" > ")[0] ?? id))];
    return {
      argv: ["sh", "-c", select === undefined ? shell : (onlyFiles({ ...command, shell }, files) ?? shell)],
      cwd: command.cwd,
      env: {
        ...env,
        AUTOLITH_NODE_OPTIONS: options,
        AUTOLITH_TIMEOUT_MS: String(timeoutMs),
        AUTOLITH_LOCALS: locals ? "1" : "0",
        ...(reach && { AUTOLITH_REACH: "1" }),
      },
      timeoutMs,
      report: true,
    };
  },
  read: readReport,
};

/**
 * Reporters and destinations are two lists that must match, over NODE_OPTIONS and the command line together. Ours
 * writes nothing to its destination, which must not be /dev/null: Node 22 and later sync it, and fail.
 */
function nodeOptions(shell: string): string {
  const folder = `${pluginFolder}/autolith_node_test`;
  const ours = `--test-reporter=${folder}/reporter.mjs --test-reporter-destination=stderr`;
  const spec = "--test-reporter=spec --test-reporter-destination=stdout";
  const hasReporter = /--test-reporter[ =]/.test(shell);
  const hasDestination = shell.includes("--test-reporter-destination");
  const theirs = hasReporter ? (hasDestination ? "" : " --test-reporter-destination=stdout") : ` ${spec}`;
  return `--import=${folder}/preload.mjs ${ours}${theirs}`;
}
