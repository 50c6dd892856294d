import type { RunRequest } from "../sandbox/sandbox.ts";
import type { RunnerName, TestReport } from "./report.ts";
import type { TestCommand } from "./test-command.ts";

/** Which tests a run takes, and how. */
export interface TestChoice {
  /** Ids to run; undefined: all that the command runs. */
  readonly select?: readonly string[] | undefined;
  /** Runs the tests in another order; only where the runner can. */
  readonly shuffleSeed?: number | undefined;
  /** Seed of Python's string hashes, or `random`; undefined: as the command has it. */
  readonly hashSeed?: string | undefined;
}

/** One test runner: how to have it report, how to have it run chosen tests. */
export interface Runner {
  readonly name: RunnerName;
  /** The run that reports, without its time limit. */
  request(command: TestCommand, choice: TestChoice): Omit<RunRequest, "timeoutMs">;
  /** Reads the report; null when there is none to be read. */
  read(report: Uint8Array | null, choice: TestChoice): TestReport | null;
}
