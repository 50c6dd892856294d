import type { TestRun } from "../runner/report.ts";
import type { Trace } from "../trace/recorder.ts";
import { redIds } from "./target.ts";

/** Enough of a run's output to see what happened; the test records hold the rest. */
const outputChars = 4_000;

/** Takes a test run down in the trace. */
export function recordTestRun(trace: Trace, purpose: string, run: TestRun): void {
  const { result, report } = run;
  const output = [result.stdout.text, result.stderr.text].filter((text) => text !== "").join("\n");
  trace.record({
    type: "test-run",
    purpose,
    status: result.status,
    exitCode: result.exitCode,
    passed: report === null ? null : report.tests.filter((test) => test.status === "passed").length,
    failing: redIds(run),
    durationMs: result.durationMs,
    output: output.length > outputChars ? `…${output.slice(-outputChars)}` : output,
  });
}
