import { afterAll, beforeAll, expect, test } from "vitest";
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
  project = await sandboxedProject(sandbox, "runner-unittest");
});

afterAll(async () => {
  await sandbox[Symbol.asyncDispose]();
  expect(await under.leftOvers()).toEqual([]);
});

test("every kind of result has its status, under an id that names its file", async () => {
  const run = await project.run("python3 -m unittest tests.test_kinds");
  expect(run.result.exitCode).toBe(1);
  expect(run.result.stderr.text).toContain(
    "FAILED (failures=12, errors=9, skipped=3, expected failures=1, unexpected successes=1)",
  );
  expect(reportOf(run)).toMatchObject({ complete: true });
  expect(reportOf(run).collected.toSorted()).toEqual(Object.keys(statuses(run)).toSorted());
  expect(statuses(run)).toEqual({
    ...Object.fromEntries(
      [
        "compares",
        "expects_first",
        "is_in",
        "is_true",
        "plain_assert",
        "mock",
        "raises",
        "parts",
        "unexpected",
        "exits",
      ]
        .concat("chained", "prints")
        .map((name) => [`${kinds}::Kinds::test_${name}`, "failed"]),
    ),
    [`${kinds}::Kinds::test_passes`]: "passed",
    [`${kinds}::Kinds::test_skipped`]: "skipped",
    [`${kinds}::Kinds::test_skips_itself`]: "skipped",
    [`${kinds}::Kinds::test_expected`]: "xfailed",
    [`${kinds}::SetUp::test_never`]: "error",
    [`${kinds}::TearDown::test_passes`]: "error",
    [`${kinds}::TearDown::test_fails`]: "failed",
    [`${kinds}::CleanUp::test_passes`]: "error",
    [`${kinds}::ClassSetUp::test_one`]: "error",
    [`${kinds}::ClassSetUp::test_two`]: "error",
    [`${kinds}::ClassTearDown::test_one`]: "passed",
    [`${kinds}::ClassTearDown::test_two`]: "error",
    [`${kinds}::ClassSkipped::test_one`]: "skipped",
    [`${kinds}::Later::test_passes`]: "passed",
    [`${kinds}::Later::test_fails`]: "failed",
    [`${kinds}::One::test_shared`]: "passed",
    [`${kinds}::Two::test_shared`]: "failed",
    [`${kinds}::Outer::Inner::test_deep`]: "passed",
    [`${kinds}::tests.test_kinds.double`]: "failed",
  });
});

test("a failure carries operands, frames without the runner's own, and locals without secrets", async () => {
  const run = await project.run("python3 -m unittest tests.test_kinds", { select: [`${kinds}::Kinds`] });
  const operands = (name: string) => testIn(run, `${kinds}::Kinds::test_${name}`).assertion;
  expect(testIn(run, `${kinds}::Kinds::test_compares`)).toMatchObject({
    file: kinds,
    assertion: { operator: "assertEqual", produced: "2", expected: "3" },
    exception: {
      type: "AssertionError",
      message: "2 != 3 : odd",
      frames: [
        {
          file: `/work/${kinds}`,
          line: 16,
          function: "test_compares",
          locals: { api_key: "[redacted]", prices: "[1, 2]" },
        },
      ],
    },
  });
  expect(operands("expects_first")).toEqual({ operator: "assertEqual", produced: "2", expected: "3" });
  expect(operands("is_in")).toEqual({ operator: "assertIn", produced: "'z'", expected: "['a']" });
  expect(operands("is_true")).toEqual({ operator: "assertTrue", produced: "0", expected: "True" });
  expect(operands("mock")).toEqual({ operator: "assert_called_with", produced: "call(1)", expected: "call(2)" });
  expect(operands("plain_assert")).toBeNull();
  const parts = testIn(run, `${kinds}::Kinds::test_parts`);
  expect(parts).toMatchObject({ message: expect.stringMatching(/^\(number=2\)\n/), assertion: { produced: "0" } });
  const raised = testIn(run, `${kinds}::Kinds::test_raises`).exception;
  expect(raised?.frames.map((frame) => [frame.function, frame.locals["entry"]])).toEqual([
    ["test_raises", undefined],
    ["rate", "{}"],
  ]);
  expect(testIn(run, `${kinds}::Kinds::test_chained`).exception).toMatchObject({ cause: { type: "KeyError" } });
});

test("with --buffer a failure holds what its test printed", async () => {
  const run = await project.run("python3 -m unittest --buffer tests.test_kinds", { select: [`${kinds}::Kinds`] });
  expect(testIn(run, `${kinds}::Kinds::test_prints`).message).toContain("printed by the test");
});

test("modules that do not load are errors under their files, and their own errors are shown", async () => {
  const run = await project.run("python3 -m unittest discover -s broken -t .");
  expect(statuses(run)).toEqual({
    "broken/test_imports.py": "error",
    "broken/test_protocol.py": "error",
    "broken/test_raises.py": "error",
    "broken/test_skips_file.py": "skipped",
    "broken/test_syntax.py": "error",
  });
  expect(testIn(run, "broken/test_imports.py").exception).toMatchObject({
    type: "ModuleNotFoundError",
    frames: [{ file: "/work/broken/test_imports.py", line: 1 }],
  });
  expect(testIn(run, "broken/test_raises.py").exception?.frames).toMatchObject([{ locals: { table: "{}" } }]);
  expect(testIn(run, "broken/test_syntax.py").exception?.frames.at(-1)).toMatchObject({ source: "def test_never(:" });
});

test.each(["python3 -m unittest broken.test_raises", "python3 broken/script.py"])(
  "an error that ends the process while it loads is the file's: %s",
  async (command) => {
    const file = command.includes("script") ? "broken/script.py" : "broken/test_raises.py";
    const run = await project.run(command);
    expect(statuses(run)).toEqual({ [file]: "error" });
    expect(testIn(run, file).exception?.frames.at(-1)?.file).toBe(`/work/${file}`);
  },
);

test("names that do not exist are problems outside of any test", async () => {
  const run = await project.run("python3 -m unittest tests.test_gone tests.test_script.Script.test_gone");
  expect(reportOf(run)).toMatchObject({
    tests: [],
    complete: true,
    problems: [
      { id: "test_gone", exception: { type: "ModuleNotFoundError" } },
      { id: "test_gone", exception: { type: "AttributeError" } },
    ],
  });
});

test("a set-up of a module that fails is the failure of its tests", async () => {
  const run = await project.run("python3 -m unittest tests.test_module_setup");
  const id = "tests/test_module_setup.py::Case::test_one";
  expect(testIn(run, id)).toMatchObject({ status: "error", exception: { message: "no module" } });
});

test("only selected tests run, in the order of a seed, each class in one piece", async () => {
  const select = [`${kinds}::Kinds`, `${kinds}::One::test_shared`, "tests/test_script.py"];
  const runs = await Promise.all(
    [7, 7, 8].map((shuffleSeed) => project.run("python3 -m unittest", { select, shuffleSeed })),
  );
  const [one, again, other] = runs.map((run) => reportOf(run).collected);
  expect(one).toHaveLength(19);
  expect(again).toEqual(one);
  expect(other).not.toEqual(one);
  expect(other?.toSorted()).toEqual(one?.toSorted());
  const classes = one?.map((id) => id.split("::")[1]) ?? [];
  expect(classes.filter((name, index) => name !== classes[index - 1])).toHaveLength(3);
});

test("a selection that holds nothing is never green", async () => {
  const run = await project.run("python3 -m unittest", { select: ["tests/test_script.py::Script::test_gone"] });
  expect(run.result.exitCode).toBe(5);
  expect(reportOf(run)).toMatchObject({ collected: [], tests: [] });
});

test.each([
  ["python3 tests/test_script.py", "tests/test_script.py::Script::test_fails"],
  ["python3 -m tests.test_script", "tests/test_script.py::Script::test_fails"],
  ["python3 odd/runner.py", "odd/runner.py::Case::test_fails"],
])("scripts report like unittest's own program, whatever their result class: %s", async (command, id) => {
  const run = await project.run(command);
  expect(testIn(run, id)).toMatchObject({ status: "failed", assertion: { operator: "assertEqual" } });
  expect(reportOf(run).complete).toBe(true);
});

test("a test that ends the process leaves a report that is not complete, although the exit status is 0", async () => {
  const run = await project.run("python3 -m unittest odd.dies");
  expect(run.result.exitCode).toBe(0);
  expect(reportOf(run)).toMatchObject({ complete: false });
  expect(statuses(run)).toEqual({ "odd/dies.py::Dies::test_a_before": "passed" });
  expect(reportOf(run).collected).toHaveLength(3);
});

test("a test that hangs is named, with the place where it hung", async () => {
  const run = await project.run("python3 -m unittest odd.hangs", { timeoutMs: 2_500 });
  expect(run.result.status).toBe("timeout");
  expect(run.result.stack).toMatch(/hangs\.py", line \d+ in wait_for_ever\n.*hangs\.py", line \d+ in test_hangs/);
  expect(reportOf(run)).toMatchObject({ collected: ["odd/hangs.py::Hangs::test_hangs"], tests: [], complete: false });
});

test("tests that replace what a plugin needs are reported all the same", async () => {
  const run = await project.run("python3 -m unittest odd.replaces");
  expect(Object.values(statuses(run)).toSorted()).toEqual(["failed", "passed"]);
  expect(reportOf(run).complete).toBe(true);
});

test("programs and tests that tests start neither report nor see anything of ours", async () => {
  const run = await project.run("python3 -m unittest tests.test_children");
  expect(Object.values(statuses(run))).toEqual(["passed", "passed", "passed"]);
  expect(reportOf(run)).toMatchObject({ complete: true });
});

test("the repository's own start-up module is loaded, and may be in the way of nothing", async () => {
  const own = await sandboxedProject(sandbox, null);
  await own.add({
    "src/sitecustomize.py": "import builtins\n\nbuiltins.started = __name__\n",
    "autolith_unittest.py": "raise RuntimeError\n",
    "random.py": "answer = 42\n",
    "test_a.py":
      "import builtins\nimport random\nimport sys\nimport unittest\n\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual((builtins.started, random.answer), ('sitecustomize', 42))\n",
  });
  const run = await own.run("PYTHONPATH=src python3 -m unittest");
  expect(statuses(run)).toEqual({ "test_a.py::A::test_a": "passed" });
  expect((await sandbox.list(never)).map(({ path }) => path).filter((path) => path.includes("autolith"))).toEqual([
    "autolith_unittest.py",
  ]);
});
