import type { ExceptionReport, RunResult } from "../sandbox/sandbox.ts";

/** `error`: set-up, tear-down or collection failed; the test's own body did not decide. */
export type TestStatus = "passed" | "failed" | "error" | "skipped" | "xfailed" | "xpassed";

export interface AssertionDetail {
  readonly operator: string;
  /** What the code produced, as bounded text. */
  readonly produced: string;
  readonly expected: string;
}

export interface TestCase {
  /** Stable id: pytest's node id, and the same form for unittest; `file > outer > name` for the runners of JavaScript. */
  readonly id: string;
  /** Workspace-relative file that holds the test. */
  readonly file: string;
  readonly status: TestStatus;
  readonly durationMs: number;
  /** How often the runner tried it before it had this status, when more than once. */
  readonly attempts?: number | undefined;
  /** One bounded text: what the runner printed for the failure; empty when passed. */
  readonly message: string;
  readonly exception: ExceptionReport | null;
  readonly assertion: AssertionDetail | null;
  /** Files of the workspace whose functions ran during the test, itself left out; undefined where nobody looked. */
  readonly reached?: readonly string[] | undefined;
}

/** What a report plugin wrote during one run. */
export interface TestReport {
  /** Ids in collection order. */
  readonly collected: readonly string[];
  readonly tests: readonly TestCase[];
  /**
   * True when the plugin also wrote its closing record and the exit status agrees with it: a run that was cut short or
   * ended by `os._exit` has none, and a pipe may hide that pytest refused to run.
   */
  readonly complete: boolean;
  /** Errors that belong to no test: a conftest.py that cannot be imported, a hook of a suite that failed. */
  readonly problems?: readonly TestProblem[];
}

export interface TestProblem {
  /** File, folder or suite. */
  readonly id: string;
  readonly message: string;
  readonly exception: ExceptionReport | null;
}

export type RunnerName = "pytest" | "unittest" | "node-test" | "vitest" | "jest" | "mocha" | "packages" | "command";

/** One run of the target or of the whole suite. */
export interface TestRun {
  readonly runner: RunnerName;
  readonly result: RunResult;
  /** Null for plain commands, and when no readable report was written. */
  readonly report: TestReport | null;
}
