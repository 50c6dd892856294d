import type { TestRun } from "./report.ts";

const tailChars = 2_000;

/**
 * What is the same about two red runs: failing ids, exception types and messages, without what differs from run to run (numbers, addresses,
 * times, temporary paths). Two edits with the same signature left the same failure.
 */
export function failureSignature(run: TestRun): string {
  const { result, report } = run;
  const ending = `${result.status} ${result.exitCode ?? result.signal ?? ""}`;
  if (report === null)
    return `${ending}\n${normalise(`${result.stdout.text}\n${result.stderr.text}`.slice(-tailChars))}`;
  const red = report.tests
    .filter(({ status }) => status === "failed" || status === "error")
    .map(({ id, exception, assertion, message }) => {
      const what = exception === null ? message : `${exception.type}: ${exception.message}`;
      return `${id} ${normalise(what)} ${assertion === null ? "" : `${assertion.produced} ${assertion.expected}`}`;
    });
  return [ending, ...red.toSorted()].join("\n");
}

function normalise(text: string): string {
  return text
    .replace(/0x[0-9a-f]+/gi, "0x")
    .replace(/\/tmp\/[^\s:'"]+/g, "/tmp/…")
    .replace(/\b\d+(\.\d+)?\s?(ms|s|µs|us|ns|seconds?)\b/g, "# s")
    .replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z?\b/g, "#time")
    .replace(/[ \t]+/g, " ")
    .trim();
}
