import { expect, test } from "vitest";
import type { TestCommand } from "../../src/runner/test-command.ts";
import { isRed, notGreen, redIds, redKey, type Target, targetOf } from "../../src/verify/target.ts";
import { commandRun, pytestRun, testCase } from "../builders/test-run.ts";

const command = { shell: "pytest", cwd: "/work", env: {}, runner: "pytest" } as TestCommand;

function target(...ids: string[]): Target {
  return { command, ids };
}

test("the target of a red run is every failing id", () => {
  const run = pytestRun({ "a.py::x": "failed", "a.py::y": "passed", "b.py::z": "error" });
  expect(targetOf(command, run)).toEqual({ command, ids: ["a.py::x", "b.py::z"] });
});

test("a test that hung is part of the target, though it has no record", () => {
  const run = pytestRun(
    { "a.py::x": "passed" },
    { collected: ["a.py::x", "a.py::hangs", "a.py::later"], complete: false, status: "timeout", exitCode: null },
  );
  expect(redIds(run)).toEqual(["a.py::hangs"]);
});

test("a plain command has no ids and is judged by its exit status", () => {
  expect(targetOf(command, commandRun(2))).toEqual({ command, ids: null });
  expect(notGreen(commandRun(2), { command, ids: null })).toEqual(["exit status 2"]);
  expect(notGreen(commandRun(0), { command, ids: null })).toEqual([]);
});

test("a run without its closing record is red, whatever its exit status", () => {
  const run = pytestRun({ "a.py::x": "passed" }, { complete: false });
  expect(isRed(run)).toBe(true);
  expect(notGreen(run, target("a.py::x"))).toEqual(["the test run did not reach its end: exit status 0"]);
});

test("an exit status that disagrees with the records is not green", () => {
  expect(notGreen(pytestRun({ "a.py::x": "passed" }, { exitCode: 1 }), target("a.py::x"))).toEqual(["exit status 1"]);
});

test("records that disagree with the exit status are not green", () => {
  expect(notGreen(pytestRun({ "a.py::x": "failed" }, { exitCode: 0 }), target("a.py::x"))).toEqual(["a.py::x"]);
});

test.each(["skipped", "xfailed", "xpassed", "failed", "error"] as const)(
  "a target that is %s is not green",
  (status) => {
    expect(notGreen(pytestRun({ "a.py::x": status }), target("a.py::x"))).toEqual(["a.py::x"]);
  },
);

test("a target that was not collected is not green", () => {
  expect(notGreen(pytestRun({ "a.py::y": "passed" }), target("a.py::x"))).toEqual(["a.py::x"]);
});

test("a partial repair is not green", () => {
  const run = pytestRun({ "a.py::x": "passed", "a.py::y": "failed" });
  expect(notGreen(run, target("a.py::x", "a.py::y"))).toEqual(["a.py::y"]);
});

test("a file that could not be collected is green once its tests pass", () => {
  expect(notGreen(pytestRun({ "a.py::x": "passed", "a.py::y": "passed" }), target("a.py"))).toEqual([]);
});

test("a file that could not be collected is not green while one of its tests fails, or when it holds none", () => {
  expect(notGreen(pytestRun({ "a.py::x": "passed", "a.py::y": "failed" }), target("a.py"))).toEqual(["a.py"]);
  expect(notGreen(pytestRun({ "b.py::x": "passed" }), target("a.py"))).toEqual(["a.py"]);
  expect(notGreen(pytestRun({}, { tests: [testCase("a.py", "error")], exitCode: 2 }), target("a.py"))).toEqual([
    "a.py",
  ]);
});

test("runs with different failing ids have different keys, in any order equal ones do not", () => {
  const key = redKey(pytestRun({ "a.py::x": "failed", "a.py::y": "failed" }));
  expect(redKey(pytestRun({ "a.py::y": "failed", "a.py::x": "failed" }))).toBe(key);
  expect(redKey(pytestRun({ "a.py::x": "failed", "a.py::y": "passed" }))).not.toBe(key);
  expect(redKey(pytestRun({ "a.py::x": "passed" }))).toBe("green");
});

test("a test that passed only when it was tried again is not green", () => {
  const tests = [testCase("a.py::x", "passed", { attempts: 2 })];
  expect(notGreen(pytestRun({}, { tests }), target("a.py::x"))).toEqual(["a.py::x"]);
});
