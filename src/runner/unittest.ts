import { prefixVariable } from "./prefix-variable.ts";
import { readReport } from "./read-report.ts";
import { pluginFolder, type Runner } from "./runner.ts";

/**
 * unittest, whether its own program or a script of the repository starts the tests: every Python process of the command
 * loads our plugin before any other code, so the command stays as it is.
 */
export const unittest: Runner = {
  name: "unittest",
  request(command, { timeoutMs, select, shuffleSeed, hashSeed }) {
    const start = `${pluginFolder}/autolith_unittest/start`;
    const { shell, env } = prefixVariable(command, "PYTHONPATH", { prefix: start, separator: ":" });
    return {
      argv: ["sh", "-c", shell],
      cwd: command.cwd,
      env: { ...env, ...(hashSeed === undefined ? {} : { PYTHONHASHSEED: hashSeed }) },
      timeoutMs,
      report: true,
      input: JSON.stringify({ select: select ?? null, shuffleSeed: shuffleSeed ?? null }),
    };
  },
  read: readReport,
};
