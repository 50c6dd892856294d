import { expect, test } from "vitest";
import type { TestRun } from "../../src/runner/report.ts";
import { runPackages } from "../../src/runner/run-packages.ts";
import type { RunTestsOptions } from "../../src/runner/run-tests.ts";
import { failing } from "../../src/runner/run-tests.ts";
import type { TestCommand } from "../../src/runner/test-command.ts";
import { commandRun, pytestRun, runResult } from "../builders/test-run.ts";

const part = (folder: string, shell: string, runner: TestCommand["runner"]): TestCommand => ({
  ...{ shell, cwd: folder === "" ? "/work" : `/work/${folder}`, env: { PART: shell }, runner },
});
const parts = [part("a", "pytest", "pytest"), part("a/deep", "sh x", "command"), part("b", "pytest -q", "pytest")];
const command: TestCommand = { shell: "all", cwd: "/work", env: { TZ: "UTC" }, runner: "packages", parts };

function running(runs: Readonly<Record<string, TestRun>>) {
  const asked: [string, Partial<RunTestsOptions>][] = [];
  const runPart = async ({ shell, env }: TestCommand, { timeoutMs, select }: RunTestsOptions) => {
    asked.push([shell, { timeoutMs, select }]);
    expect(env).toEqual({ TZ: "UTC", PART: shell });
    const run = runs[shell];
    if (run === undefined) throw new Error(`a surprising run of ${shell}`);
    return run;
  };
  return { asked, run: (options: RunTestsOptions) => runPackages(command, options, runPart) };
}

const green = pytestRun({ "a/t.py::x": "passed" });
const red = pytestRun({ "b/t.py::x": "failed", "b/t.py::y": "passed" });

test("the runs of several packages are one, and a red command without tests has an id of its own", async () => {
  const said = { text: "bad", droppedBytes: 1 };
  const failed = { ...commandRun(3), result: runResult({ exitCode: 3, stdout: said }) };
  const { run, asked } = running({ pytest: green, "sh x": failed, "pytest -q": red });
  const whole = await run({ timeoutMs: 1_000 });
  expect(asked.map(([, { timeoutMs }]) => timeoutMs)).toEqual([1_000, 880, 760]);
  expect(whole.result).toMatchObject({ status: "exited", exitCode: 3, durationMs: 360 });
  expect(whole.result.stdout).toEqual({ text: "> a/deep: sh x\nbad", droppedBytes: 1 });
  expect(failing(whole)).toEqual(["b/t.py::x", "a/deep: sh x"]);
  expect(whole.report).toMatchObject({
    complete: true,
    collected: ["a/t.py::x", "b/t.py::x", "b/t.py::y"],
    tests: [
      { id: "a/t.py::x" },
      { id: "b/t.py::x" },
      { id: "b/t.py::y" },
      { id: "a: pytest", status: "passed", file: "a" },
      { id: "a/deep: sh x", status: "failed", message: "exit status 3\nbad" },
      { id: "b: pytest -q", status: "skipped" },
    ],
  });
});

test("only packages with chosen tests run, and a chosen command runs whole", async () => {
  const { run, asked } = running({ pytest: green, "sh x": commandRun(0), "pytest -q": red });
  await run({ timeoutMs: 1_000, select: ["b/t.py::x"] });
  await run({ timeoutMs: 1_000, select: ["a/deep: sh x", "a/t.py"] });
  await run({ timeoutMs: 1_000, select: ["a/deep/t.py::x", "a: pytest"] });
  expect(asked.map(([shell, { select }]) => [shell, select])).toEqual([
    ["pytest -q", ["b/t.py::x"]],
    ["pytest", ["a/t.py"]],
    ["sh x", undefined],
    ["pytest", undefined],
    ["sh x", ["a/deep/t.py::x"]],
  ]);
});

test("after a time-out nothing more runs, and the whole is not complete", async () => {
  const stuck = pytestRun(
    { "a/t.py::x": "passed" },
    { status: "timeout", exitCode: null, complete: false, stack: "in f" },
  );
  const { run } = running({ pytest: stuck });
  const whole = await run({ timeoutMs: 1_000 });
  expect(whole.result).toMatchObject({ status: "timeout", exitCode: null, stack: "in f" });
  expect(whole.report?.complete).toBe(false);
  expect(failing(whole)).toEqual([]);
});

test("a selection that no package holds is not green", async () => {
  const { run } = running({ pytest: green, "sh x": commandRun(0), "pytest -q": red });
  expect((await run({ timeoutMs: 1_000, select: [] })).result.exitCode).toBe(1);
});

test("a report that is missing is red, whatever the exit status", async () => {
  const silent: TestRun = { ...commandRun(0), runner: "pytest" };
  const { run } = running({ pytest: silent, "sh x": commandRun(0), "pytest -q": green });
  expect(failing(await run({ timeoutMs: 1_000 }))).toEqual(["a: pytest"]);
});
