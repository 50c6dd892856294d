import { expect, test } from "vitest";
import { findRegressions, missingTests } from "../../src/verify/suite-comparison.ts";
import { pytestRun } from "../builders/test-run.ts";

const before = pytestRun({ "a.py::target": "failed", "a.py::one": "passed", "a.py::two": "passed" });

test("a test that passed and now fails each time is a regression", async () => {
  const after = pytestRun({ "a.py::target": "passed", "a.py::one": "failed", "a.py::two": "passed" });
  const asked: (readonly string[])[] = [];
  const regressions = await findRegressions(before, after, async (ids) => {
    asked.push(ids);
    return pytestRun({ "a.py::one": "failed" });
  });
  expect(regressions).toEqual(["a.py::one"]);
  expect(asked).toEqual([["a.py::one"], ["a.py::one"]]);
});

test("a test that passes in both further runs wavers and is no regression", async () => {
  const after = pytestRun({ "a.py::target": "passed", "a.py::one": "failed", "a.py::two": "passed" });
  expect(await findRegressions(before, after, async () => pytestRun({ "a.py::one": "passed" }))).toEqual([]);
});

test("a test that is skipped now is a regression", async () => {
  const after = pytestRun({ "a.py::target": "passed", "a.py::one": "skipped", "a.py::two": "passed" });
  expect(await findRegressions(before, after, async () => pytestRun({ "a.py::one": "skipped" }))).toEqual([
    "a.py::one",
  ]);
});

test.each(["skipped", "xfailed"] as const)("a test that was %s and now fails is a regression", async (status) => {
  const was = pytestRun({ "a.py::target": "failed", "a.py::one": status });
  const after = pytestRun({ "a.py::target": "passed", "a.py::one": "failed" });
  expect(await findRegressions(was, after, async () => pytestRun({ "a.py::one": "failed" }))).toEqual(["a.py::one"]);
  expect(await findRegressions(was, after, async () => pytestRun({ "a.py::one": status }))).toEqual([]);
});

test("no test is run again when nothing is newly red", async () => {
  const after = pytestRun({ "a.py::target": "passed", "a.py::one": "passed", "a.py::two": "passed" });
  const surprise = async () => Promise.reject(new Error("a run that nobody needs"));
  expect(await findRegressions(before, after, surprise)).toEqual([]);
});

test("tests that are no longer collected are named", () => {
  expect(missingTests(before, pytestRun({ "a.py::target": "passed", "a.py::one": "passed" }))).toEqual(["a.py::two"]);
});

test("a file that could not be collected before is not missing when its tests appear", () => {
  const broken = pytestRun({ "a.py": "error" });
  expect(missingTests(broken, pytestRun({ "a.py::one": "passed" }))).toEqual([]);
});
