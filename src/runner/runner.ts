import type { RunRequest, RunResult } from "../sandbox/sandbox.ts";
import type { RunnerName, TestReport } from "./report.ts";
import type { RunTestsOptions } from "./run-tests.ts";
import type { TestCommand } from "./test-command.ts";

/** One test runner: how to have it report, how to have it run chosen tests, how to read what it reported. */
export interface Runner {
  readonly name: RunnerName;
  request(command: TestCommand, options: RunTestsOptions): RunRequest;
  /** Null when there is no report that can be read. */
  read(result: RunResult): TestReport | null;
}

/** The folder of the image that holds the report plugins; read-only there. */
export const pluginFolder = "/opt/autolith/plugins";
