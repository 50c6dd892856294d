import { createHash } from "node:crypto";
import type { TestCase, TestReport, TestRun } from "./report.ts";

const tailChars = 2_000;

/**
 * What is the same about two red runs: failing ids, exception types, messages and operands, without what differs from
 * run to run. Two edits with the same signature left the same failure.
 */
export function failureSignature({ result, report }: TestRun): string {
  const ending = `${result.status} ${result.exitCode ?? result.signal ?? ""}`;
  const output = `${result.stdout.text}\n${result.stderr.text}`;
  const lines = report === null ? [normalised(output.slice(-tailChars))] : failureLines(report);
  return createHash("sha256")
    .update([ending, ...lines].join("\n"))
    .digest("hex");
}

function failureLines(report: TestReport): string[] {
  const red = report.tests.filter(({ status }) => status === "failed" || status === "error");
  const finished = new Set(report.tests.map(({ id }) => id));
  const running = report.complete ? undefined : report.collected.find((id) => !finished.has(id));
  const problems = (report.problems ?? []).map((problem) => `${problem.id} ${whatOf(problem)}`);
  const tests = red.map((test) => `${test.id} ${operandsOf(test) ?? whatOf(test)}`);
  return [...problems, ...tests.toSorted(), ...(running === undefined ? [] : [`running ${running}`])];
}

function whatOf({ exception, message }: Pick<TestCase, "exception" | "message">): string {
  return normalised(exception === null ? message : `${exception.type}: ${exception.message}`);
}

/** A number that the code computes is the failure itself; in a message it is as often a line, a size or a count. */
function operandsOf({ assertion }: TestCase): string | null {
  return assertion === null ? null : places(`${assertion.produced} ${assertion.operator} ${assertion.expected}`);
}

/** Text without times, durations, addresses, temporary paths and numbers. */
function normalised(text: string): string {
  return places(text)
    .replaceAll(/\d+(?:\.\d+)?/g, "#")
    .replaceAll(/\s+/g, " ")
    .trim();
}

function places(text: string): string {
  return text
    .replaceAll(/\b0x[0-9a-f]+/gi, "0x#")
    .replaceAll(/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?/g, "#time")
    .replaceAll(/\b\d+(?:\.\d+)?\s?(?:ms|s|µs|us|ns|sec|seconds?|minutes?)\b/g, "#duration")
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "#uuid")
    .replaceAll(/(?:\/tmp|\/run\/autolith|\/var\/folders)\/[^\s:'")\]]+/g, "/tmp/#");
}
