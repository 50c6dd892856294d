import { afterAll, beforeAll, expect, test } from "vitest";
import { failing } from "../../src/runner/run-tests.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { type EngineUnderTest, engineUnderTest, never } from "../docker/engine-under-test.ts";
import { reportOf, type SandboxedProject, sandboxedProject, statuses, testIn } from "./sandboxed-project.ts";

let under: EngineUnderTest;
let sandbox: Sandbox;
let project: SandboxedProject;
const kinds = "tests/test_kinds.py";

beforeAll(async () => {
  under = await engineUnderTest();
  sandbox = await under.start();
  project = await sandboxedProject(sandbox, "runner-python");
});

afterAll(async () => {
  await sandbox[Symbol.asyncDispose]();
  expect(await under.leftOvers()).toEqual([]);
});

test("every kind of result has its status, as pytest itself counts it", async () => {
  const run = await project.run(`pytest ${kinds}`);
  expect(run.result.exitCode).toBe(1);
  expect(run.result.stdout.text).toContain("12 failed, 7 passed, 2 skipped, 2 xfailed, 1 xpassed, 3 errors");
  expect(reportOf(run)).toMatchObject({ complete: true });
  expect(reportOf(run).collected).toEqual(reportOf(run).tests.map(({ id }) => id));
  expect(statuses(run)).toEqual({
    [`${kinds}::test_passes`]: "passed",
    [`${kinds}::test_compares`]: "failed",
    [`${kinds}::test_expects_left`]: "failed",
    [`${kinds}::test_forgets_caught_comparison`]: "failed",
    [`${kinds}::test_raises_in_library_of_workspace`]: "failed",
    [`${kinds}::test_words[a::b]`]: "passed",
    [`${kinds}::test_words[gr\\xfc\\xdfe]`]: "failed",
    [`${kinds}::test_words[x y]`]: "passed",
    [`${kinds}::test_words[[1]]`]: "passed",
    [`${kinds}::test_setup_error`]: "error",
    [`${kinds}::test_teardown_error`]: "error",
    [`${kinds}::test_fails_and_teardown_error`]: "failed",
    [`${kinds}::test_skipped`]: "skipped",
    [`${kinds}::test_skips_itself`]: "skipped",
    [`${kinds}::test_xfails`]: "xfailed",
    [`${kinds}::test_xpasses`]: "xpassed",
    [`${kinds}::test_xpasses_strictly`]: "failed",
    [`${kinds}::TestGroup::test_method`]: "failed",
    [`${kinds}::TestGroup::TestInner::test_deep`]: "passed",
    [`${kinds}::Case::test_equal`]: "failed",
    [`${kinds}::Case::test_expected`]: "xfailed",
    [`${kinds}::test_exits`]: "failed",
    [`${kinds}::test_chained`]: "failed",
    [`${kinds}::test_prints`]: "passed",
    [`${kinds}::test_deep_recursion`]: "failed",
  });
});

test("a failure carries operands, frames, and locals without secrets", async () => {
  const run = await project.run(`pytest ${kinds}`, {
    select: [`${kinds}::test_compares`, `${kinds}::test_raises_in_library_of_workspace`],
  });
  const compares = testIn(run, `${kinds}::test_compares`);
  expect(compares).toMatchObject({ file: kinds, assertion: { operator: "==", produced: "0", expected: "315" } });
  expect(compares.exception).toEqual({
    type: "AssertionError",
    message: expect.stringMatching(/^assert 0 == 315\n \+ {2}where 0 = total\(/),
    frames: [
      {
        file: "/work/tests/test_kinds.py",
        line: 17,
        function: "test_compares",
        source: "assert total(prices, discount=10) == 315",
        locals: {
          password: "[redacted]",
          prices: "[Price(cents=100, api_key=[redacted]), Price(cents=250, api_key='')]",
        },
      },
    ],
  });
  expect(compares.message).not.toContain("sk-secret");
  const frames = testIn(run, `${kinds}::test_raises_in_library_of_workspace`).exception?.frames;
  expect(frames?.map(({ file, function: name, locals }) => [file, name, locals])).toEqual([
    ["/work/tests/test_kinds.py", "test_raises_in_library_of_workspace", {}],
    ["/work/shop.py", "rate", { table: "{'a': {}}", name: "'a'", entry: "{}" }],
  ]);
});

test("operands belong to the assertion that failed, expected is the literal, and other assertions have theirs", async () => {
  const names = [
    "test_forgets_caught_comparison",
    "test_expects_left",
    "Case::test_equal",
    "test_chained",
    "test_exits",
  ];
  const run = await project.run("pytest", { select: names.map((name) => `${kinds}::${name}`) });
  const [forgets, left, equal, chained, exits] = names.map((name) => testIn(run, `${kinds}::${name}`));
  expect(forgets?.assertion).toBeNull();
  expect(left?.assertion).toEqual({ operator: "==", produced: "[1]", expected: "[3]" });
  expect(equal?.assertion).toEqual({ operator: "assertEqual", produced: "{'a': 1}", expected: "{'a': 2}" });
  expect(chained?.exception).toMatchObject({ type: "ValueError", cause: { type: "KeyError", message: "'x'" } });
  expect(exits?.exception).toMatchObject({ type: "SystemExit", message: "0" });
});

test("only selected tests run, in the order of a seed; a class or a test stands for what is in it", async () => {
  const select = [`${kinds}::test_words`, `${kinds}::TestGroup`, "tests/test_children.py"];
  const [one, again, other] = await Promise.all(
    [7, 7, 8].map((shuffleSeed) => project.run("pytest", { select, shuffleSeed })),
  );
  const orders = [one, again, other].map((run) => (run === undefined ? [] : reportOf(run).collected));
  expect(orders[0]).toHaveLength(9);
  expect(orders[1]).toEqual(orders[0]);
  expect(orders[2]).not.toEqual(orders[0]);
  expect(orders[2]?.toSorted()).toEqual(orders[0]?.toSorted());
  expect(one?.result.stdout.text).not.toContain("test_hangs");
});

test("a selection that holds nothing is never green", async () => {
  const run = await project.run("pytest", { select: ["tests/test_kinds.py::test_gone"] });
  expect(run.result.exitCode).toBe(5);
  expect(reportOf(run)).toMatchObject({ collected: [], tests: [] });
});

test("files that cannot be collected are errors under their own names", async () => {
  const run = await project.run("pytest broken");
  expect(run.result.exitCode).toBe(2);
  expect(statuses(run)).toEqual({
    "broken/test_imports.py": "error",
    "broken/test_syntax.py": "error",
    "broken/test_skips_file.py": "skipped",
  });
  expect(testIn(run, "broken/test_imports.py").exception).toMatchObject({
    type: "ModuleNotFoundError",
    message: "No module named 'missing_module_of_nobody'",
    frames: [{ file: "/work/broken/test_imports.py", line: 1 }],
  });
  expect(testIn(run, "broken/test_syntax.py").exception?.frames.at(-1)).toMatchObject({
    file: "/work/broken/test_syntax.py",
    line: 1,
    source: "def test_never(:",
  });
});

test("a test that ends the process leaves a report that is not complete, although the exit status is 0", async () => {
  const run = await project.run("pytest tests/test_dies.py");
  expect(run.result.exitCode).toBe(0);
  expect(reportOf(run)).toMatchObject({ complete: false });
  expect(statuses(run)).toEqual({ "tests/test_dies.py::test_before": "passed" });
  expect(reportOf(run).collected).toHaveLength(3);
});

test("a test that hangs is shown where it hung", async () => {
  const run = await project.run("pytest tests/test_hangs.py", { timeoutMs: 2_500 });
  expect(run.result.status).toBe("timeout");
  expect(run.result.stack).toMatch(
    /test_hangs\.py", line \d+ in wait_for_ever\n.*test_hangs\.py", line \d+ in test_hangs/,
  );
  expect(reportOf(run)).toMatchObject({ collected: ["tests/test_hangs.py::test_hangs"], tests: [], complete: false });
});

test("tests that replace what a plugin needs, and values that do not print, are reported all the same", async () => {
  const run = await project.run("pytest tests/test_replaces.py tests/test_hostile_values.py");
  expect(statuses(run)).toEqual({
    "tests/test_replaces.py::test_replaces_what_a_plugin_needs": "failed",
    "tests/test_replaces.py::test_after_it": "passed",
    "tests/test_hostile_values.py::test_values": "failed",
  });
  expect(reportOf(run).complete).toBe(true);
  const locals = testIn(run, "tests/test_hostile_values.py::test_values").exception?.frames.at(-1)?.locals;
  expect(locals).toMatchObject({
    raising: "<Raises, not printable: RuntimeError>",
    loop: "[<the same list again>]",
    huge: "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, … 1000000 in all]",
    number: "<int of 332193 bits>",
    nested: "{'a': {'b': {'c': {'d': {…}}}}}",
  });
  expect(locals?.["lying"]?.length).toBeLessThan(1_100);
});

test("programs that tests start neither report nor see our variables", async () => {
  const run = await project.run("pytest tests/test_children.py");
  expect(Object.values(statuses(run))).toEqual(["passed", "passed", "passed"]);
  expect(reportOf(run)).toMatchObject({ complete: true });
});

test("the plugin is loaded although the command sets the variables that load it, and writes nothing to the workspace", async () => {
  await project.run("PYTHONPATH=tests PYTEST_ADDOPTS='-q -x' python3 -m pytest --last-failed tests/test_replaces.py");
  const run = await project.run(
    "PYTHONPATH=tests PYTEST_ADDOPTS='-q -x' python3 -m pytest --last-failed tests/test_replaces.py",
  );
  expect(Object.values(statuses(run))).toEqual(["failed"]);
  expect(run.result.stdout.text).not.toMatch(/autolith|cachedir/);
  const names = (await sandbox.list(never)).map(({ path }) => path).filter((path) => /cache/.test(path));
  expect(names).toEqual([]);
});

test("ids name files of the workspace, wherever the root folder of pytest is", async () => {
  const many = await sandboxedProject(sandbox, null);
  await many.add({
    "pkgs/a/pyproject.toml": "[tool.pytest.ini_options]\n",
    "pkgs/a/tests/test_a.py": "def test_a(): assert 1 == 2\n\n\ndef test_b(): pass\n",
    "pkgs/a/tests/test_broken.py": "import nothing_of_that_name\n",
  });
  const ids = { "pkgs/a/tests/test_a.py::test_a": "failed", "pkgs/a/tests/test_a.py::test_b": "passed" };
  for (const command of ["pytest pkgs/a/tests", "cd pkgs/a && pytest"]) {
    const run = await many.run(`${command} --continue-on-collection-errors`);
    expect(statuses(run)).toEqual({ ...ids, "pkgs/a/tests/test_broken.py": "error" });
    expect(reportOf(run).collected).toEqual(Object.keys(ids));
    const one = await many.run(command, { select: ["pkgs/a/tests/test_a.py::test_b"] });
    expect(statuses(one)).toEqual({ "pkgs/a/tests/test_a.py::test_b": "passed" });
  }
});

test("a conftest.py that cannot be imported is a problem outside of any test", async () => {
  const broken = await sandboxedProject(sandbox, null);
  await broken.add({ "conftest.py": "import nothing_of_that_name\n", "test_a.py": "def test_a(): pass\n" });
  const run = await broken.run("pytest || true");
  expect(failing(run)).toEqual([]);
  expect(reportOf(run)).toMatchObject({
    tests: [],
    complete: false,
    problems: [
      {
        id: "conftest.py",
        exception: { type: "ModuleNotFoundError", frames: [{ file: "/work/conftest.py", line: 1 }] },
      },
    ],
  });
});

test("a pipe does not hide that pytest failed", async () => {
  const broken = await sandboxedProject(sandbox, null);
  await broken.add({ "test_a.py": "def test_a(): assert 1 == 2\n", "test_b.py": "def test_b(): pass\n" });
  const run = await broken.run("pytest | tail -1");
  expect(run.result.exitCode).toBe(0);
  expect(reportOf(run)).toMatchObject({ complete: false });
  expect(statuses(run)).toEqual({ "test_a.py::test_a": "failed", "test_b.py::test_b": "passed" });
});

test("a conftest that turns failures into passes does not hide them", async () => {
  const cheat = await sandboxedProject(sandbox, null);
  await cheat.add({
    "conftest.py":
      "import pytest\n\n@pytest.hookimpl(hookwrapper=True, tryfirst=True)\ndef pytest_runtest_makereport(item, call):\n    (yield).get_result().outcome = 'passed'\n",
    "test_a.py": "def test_a(): assert 1 == 2\n",
  });
  const run = await cheat.run("pytest");
  expect(run.result.exitCode).toBe(0);
  expect(statuses(run)).toEqual({ "test_a.py::test_a": "failed" });
});

test("a module of the repository named like the plugin leaves no report, which is never green", async () => {
  const alike = await sandboxedProject(sandbox, null);
  await alike.add({ "autolith_pytest.py": "answer = 42\n", "test_a.py": "def test_a(): pass\n" });
  expect((await alike.run("python3 -m pytest")).report).toBeNull();
  expect(statuses(await alike.run("pytest"))).toEqual({ "test_a.py::test_a": "passed" });
});
