import { readReportLines } from "./report-lines.ts";
import type { Runner } from "./runner.ts";

/** The folder of the image that holds the report plugins; read-only there. */
const pluginFolder = "/opt/autolith/plugins";

/** pytest, in the repository's own version, with our plugin loaded by environment: the command stays as it is. */
export const pytest: Runner = {
  name: "pytest",
  request(command, { select, shuffleSeed, hashSeed }) {
    const options = ["-p autolith_pytest", command.env["PYTEST_ADDOPTS"]].filter((each) => each !== undefined);
    const path = [pluginFolder, command.env["PYTHONPATH"]].filter((each) => each !== undefined);
    return {
      argv: ["sh", "-c", command.shell],
      cwd: command.cwd,
      env: {
        ...command.env,
        PYTEST_ADDOPTS: options.join(" "),
        PYTHONPATH: path.join(":"),
        ...(hashSeed === undefined ? {} : { PYTHONHASHSEED: hashSeed }),
      },
      report: true,
      input: JSON.stringify({ select: select ?? null, shuffleSeed: shuffleSeed ?? null }),
    };
  },
  read: (report) => (report === null ? null : readReportLines(report)),
};
