import { expect, test } from "vitest";
import { failureSignature } from "../../src/runner/failure-signature.ts";
import type { AssertionDetail } from "../../src/runner/report.ts";
import { commandRun, pytestRun, runResult, testCase } from "../builders/test-run.ts";

function failing(
  message: string,
  { id = "a::x", type = "ValueError", assertion = null as AssertionDetail | null } = {},
) {
  const exception = { type, message, frames: [] };
  return pytestRun({}, { tests: [testCase(id, "failed", { exception, assertion })], exitCode: 1 });
}

function said(text: string) {
  return { ...commandRun(1), result: runResult({ exitCode: 1, stdout: { text, droppedBytes: 0 } }) };
}

test.each([
  ["<A object at 0x7f1568e34cd0> is odd", "<A object at 0x55d1> is odd"],
  ["took 0.31s", "took 12 ms"],
  ["at 2026-11-29T10:00:01.123Z", "at 2025-01-02 03:04:05"],
  ["no file /tmp/pytest-of-root/pytest-0/a.txt", "no file /tmp/pytest-of-root/pytest-17/b.txt"],
  ["line 3, column 17", "line 41, column 2"],
  ["key 0b9c6f0e-7c7e-4f7a-9d3e-1f2a3b4c5d6e", "key ffffffff-7c7e-4f7a-9d3e-1f2a3b4c5d6e"],
  ["a  b\n c", "a b c"],
])("%s and %s are the same failure", (one, other) => {
  expect(failureSignature(failing(one))).toBe(failureSignature(failing(other)));
  expect(failureSignature(said(one))).toBe(failureSignature(said(other)));
});

test("another test, another type, another message are other failures", () => {
  const signatures = [
    failing("bad value"),
    failing("bad value", { id: "a::y" }),
    failing("bad value", { type: "TypeError" }),
    failing("good value"),
    said("bad value"),
    commandRun(2),
    pytestRun({ "a::x": "passed" }),
  ].map(failureSignature);
  expect(new Set(signatures).size).toBe(signatures.length);
});

test("another value that the code produced is another failure, since something changed", () => {
  const compared = (produced: string) =>
    failing(`assert ${produced} == 5`, { assertion: { operator: "==", produced, expected: "5" } });
  expect(failureSignature(compared("3"))).not.toBe(failureSignature(compared("4")));
  expect(failureSignature(compared("3"))).toBe(failureSignature(compared("3")));
});

test("the order of tests and the place where a run hung do what they should", () => {
  const tests = [testCase("a::x", "failed"), testCase("a::y", "failed")];
  const run = (order: typeof tests) => failureSignature(pytestRun({}, { tests: order, exitCode: 1 }));
  expect(run(tests)).toBe(run(tests.toReversed()));
  const hung = (collected: string[]) =>
    failureSignature(pytestRun({}, { collected, complete: false, status: "timeout", exitCode: null }));
  expect(hung(["a::x"])).not.toBe(hung(["a::y"]));
});
