import type { SandboxSession } from "../sandbox/sandbox.ts";
import { command as plainCommand } from "./command.ts";
import { nodeTest } from "./node-test.ts";
import { pytest } from "./pytest.ts";
import type { RunnerName, TestRun } from "./report.ts";
import type { Runner, TestChoice } from "./runner.ts";
import type { TestCommand } from "./test-command.ts";

export interface RunTestsOptions extends TestChoice {
  readonly timeoutMs: number;
}

const runners: Readonly<Record<RunnerName, Runner>> = { pytest, "node-test": nodeTest, command: plainCommand };

/** Runs the command's tests, or the selected ones, in a fresh process of the sandbox. */
export async function runTests(
  session: SandboxSession,
  command: TestCommand,
  options: RunTestsOptions,
  signal: AbortSignal,
): Promise<TestRun> {
  const { timeoutMs, ...choice } = options;
  const runner = runners[command.runner];
  const result = await session.run({ ...runner.request(command, choice), timeoutMs }, signal);
  return { runner: runner.name, result, report: runner.read(result.report, choice) };
}

/** Ids of tests that failed, and of tests and files whose set-up, tear-down or collection did. */
export function failing(run: TestRun): string[] {
  const red = run.report?.tests.filter(({ status }) => status === "failed" || status === "error") ?? [];
  return [...new Set(red.map(({ id }) => id))];
}
