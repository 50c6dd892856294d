import type { SandboxSession } from "../sandbox/sandbox.ts";
import { command as plainCommand } from "./command.ts";
import { jest } from "./jest.ts";
import { mocha } from "./mocha.ts";
import { nodeTest } from "./node-test.ts";
import { pytest } from "./pytest.ts";
import { hangOf } from "./read-report.ts";
import type { RunnerName, TestRun } from "./report.ts";
import { runPackages } from "./run-packages.ts";
import type { Runner } from "./runner.ts";
import type { TestCommand } from "./test-command.ts";
import { unittest } from "./unittest.ts";
import { vitest } from "./vitest.ts";

/** Which tests a run takes, and how. */
export interface RunTestsOptions {
  readonly timeoutMs: number;
  /**
   * Ids to run; undefined: all that the command runs. An id of a file, class or suite stands for the tests in it.
   * Where a runner cannot choose, more tests run than these.
   */
  readonly select?: readonly string[] | undefined;
  /** Runs the tests in another order, the same for the same seed; only where the runner can. */
  readonly shuffleSeed?: number | undefined;
  /** Seed of Python's string hashes, or `random`; undefined: as the command has it. */
  readonly hashSeed?: string | undefined;
  /**
   * False: errors of node:test and vitest carry no local variables, and no inspector watches the tests, which costs some 60 ms a
   * file. Python's locals cost nothing and always come.
   */
  readonly locals?: boolean | undefined;
  /** Has each failing test say which files' functions ran during it; only where the runner can. */
  readonly reach?: boolean | undefined;
}

const runners: Readonly<Record<Exclude<RunnerName, "packages">, Runner>> = {
  pytest,
  unittest,
  "node-test": nodeTest,
  vitest,
  jest,
  mocha,
  command: plainCommand,
};

/** Runs the command's tests, or the selected ones, in a fresh process of the sandbox. */
export async function runTests(
  session: SandboxSession,
  command: TestCommand,
  options: RunTestsOptions,
  signal: AbortSignal,
): Promise<TestRun> {
  if (command.runner === "packages") {
    return runPackages(command, options, (part, limited) => runTests(session, part, limited, signal));
  }
  const runner = runners[command.runner];
  const result = await session.run(runner.request(command, options), signal);
  // The supervisor knows the stacks of Python processes only; those of node come from within.
  const stack = result.stack ?? (result.status === "timeout" ? hangOf(result.report) : null);
  return { runner: runner.name, result: { ...result, stack }, report: runner.read(result) };
}

/** Ids of tests that failed, and of tests and files whose set-up, tear-down or collection did. */
export function failing(run: TestRun): string[] {
  const red = run.report?.tests.filter(({ status }) => status === "failed" || status === "error") ?? [];
  return red.map(({ id }) => id);
}
