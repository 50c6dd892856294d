import { afterAll, beforeAll, expect, test } from "vitest";
import { describeRun } from "../../src/runner/describe-run.ts";
import type { TestRun } from "../../src/runner/report.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { type EngineUnderTest, engineUnderTest } from "../docker/engine-under-test.ts";
import { sandboxedProject, testIn } from "./sandboxed-project.ts";

let under: EngineUnderTest;
let sandbox: Sandbox;
let run: TestRun;

beforeAll(async () => {
  under = await engineUnderTest();
  sandbox = await under.start();
  run = await (await sandboxedProject(sandbox, "runner-unittest")).run("python3 -m unittest -v odd.prints");
});

afterAll(async () => {
  await sandbox[Symbol.asyncDispose]();
  expect(await under.leftOvers()).toEqual([]);
});

/** What a test of the class printed, as its message says; everything behind the first title. */
function printed(name: string): string {
  const { message } = testIn(run, `odd/prints.py::${name}`);
  const at = message.indexOf("\n--- Captured ");
  return at < 0 ? "" : message.slice(at + 1);
}

test("a failure holds what its test printed, from set-up to tear-down, and nothing of another test", () => {
  expect(printed("Prints::test_a_first")).toBe(
    [
      "--- Captured stdout before the test ---\nprinted by the module\nprinted by the class\n",
      "--- Captured stdout ---\nprinted by set-up of test_a_first\n",
      "--- Captured stderr ---\nprinted by tear-down\n",
    ].join("\n"),
  );
  expect(testIn(run, "odd/prints.py::Prints::test_b_passes").message).toBe("");
  expect(printed("Prints::test_c_parts")).toMatch(
    /set-up of test_c_parts\nprinted by part 1\nprinted by part 2\n\n---/,
  );
  expect(printed("SomeTime::test_prints")).toBe("--- Captured stdout ---\nprinted by a coroutine\n");
});

test("what a test printed is among what is told of its failure", () => {
  const text = describeRun(run, { ids: ["odd/prints.py::Prints::test_d_logs"], most: 1 });
  expect(text).toMatch(/ {2}Captured stdout:\n {4}printed by set-up of test_d_logs\n {4}lines in one\n/);
});

test("a set-up of a class that failed holds what it printed", () => {
  expect(printed("WithoutSetUp::test_never")).toBe("--- Captured stdout ---\nprinted before the class failed\n");
});

test("streams that were taken before, and lines at once, are heard; streams of the tests' own are not", () => {
  expect(printed("Prints::test_d_logs")).toMatch(/lines in one\n\n--- Captured stderr ---\nINFO:root:logged by/);
  expect(printed("Prints::test_f_has_a_stream_of_its_own")).toMatch(/before it\nfour\n\n--- Captured stderr/);
  expect(printed("Prints::test_g_leaves_a_stream_behind")).not.toContain("nobody");
});

test("of much output the end is kept", () => {
  const text = printed("Prints::test_e_prints_much");
  expect(text).toContain("line 9999\n");
  expect(text.length).toBeLessThan(2_200);
});

test("streams stay what they are, and everything is printed as ever", () => {
  expect(testIn(run, "odd/prints.py::Prints::test_f_has_a_stream_of_its_own").exception?.message).toBe("as it should");
  expect(run.result.stdout.text).toMatch(/^printed by the module\nprinted by the class\nprinted by set-up of test_a/);
  expect(run.result.stdout.text).toContain("printed by one that passes\n");
  expect(run.result.stderr.text).toMatch(
    /^test_a_first \(odd\.prints\.Prints\.test_a_first\) \.\.\. FAIL\nprinted by tear-down\n/,
  );
  expect(run.result.stderr.text).toContain("FAILED (failures=7, errors=1)");
});
