import type { TestCase, TestReport, TestRun, TestStatus } from "../../src/runner/report.ts";
import type { RunResult } from "../../src/sandbox/sandbox.ts";

const none = { text: "", droppedBytes: 0 };

/** A process that exited by itself, unless said otherwise. */
export function runResult(overrides: Partial<RunResult> = {}): RunResult {
  return {
    status: "exited",
    exitCode: 0,
    signal: null,
    stdout: none,
    stderr: none,
    durationMs: 120,
    memoryBytes: 1_000_000,
    report: null,
    stack: null,
    ...overrides,
  };
}

/** One test with its status; the file is the id's part before `::`. */
export function testCase(id: string, status: TestStatus, overrides: Partial<TestCase> = {}): TestCase {
  return {
    id,
    file: id.split("::")[0] ?? id,
    status,
    durationMs: 1,
    message: "",
    exception: null,
    assertion: null,
    ...overrides,
  };
}

/** A pytest run with the given tests; the exit status follows from them. */
export function pytestRun(
  tests: Readonly<Record<string, TestStatus>>,
  overrides: Partial<TestReport & RunResult> = {},
): TestRun {
  const cases = Object.entries(tests).map(([id, status]) => testCase(id, status));
  const red = cases.some((test) => test.status === "failed" || test.status === "error");
  const { collected, tests: given, complete, ...result } = overrides;
  return {
    runner: "pytest",
    result: runResult({ exitCode: red ? 1 : 0, ...result }),
    report: { collected: collected ?? cases.map((test) => test.id), tests: given ?? cases, complete: complete ?? true },
  };
}

/** A plain command's run. */
export function commandRun(exitCode: number): TestRun {
  return { runner: "command", result: runResult({ exitCode }), report: null };
}
