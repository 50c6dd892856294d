import { prefixVariable } from "./prefix-variable.ts";
import { readReport } from "./read-report.ts";
import { pluginFolder, type Runner } from "./runner.ts";

/** pytest, in the repository's own version, with our plugin loaded by environment: the command stays as it is. */
export const pytest: Runner = {
  name: "pytest",
  request(command, { timeoutMs, select, shuffleSeed, hashSeed, reach }) {
    const withPath = prefixVariable(command, "PYTHONPATH", { prefix: pluginFolder, separator: ":" });
    const { shell, env } = prefixVariable(withPath, "PYTEST_ADDOPTS", { prefix: "-p autolith_pytest", separator: " " });
    return {
      argv: ["sh", "-c", shell],
      cwd: command.cwd,
      env: { ...env, ...(hashSeed === undefined ? {} : { PYTHONHASHSEED: hashSeed }) },
      timeoutMs,
      report: true,
      input: JSON.stringify({ select: select ?? null, shuffleSeed: shuffleSeed ?? null, ...(reach && { reach }) }),
    };
  },
  read: readReport,
};
