import { afterAll, beforeAll, expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { redIds } from "../../src/verify/target.ts";
import { type EngineUnderTest, engineUnderTest } from "../docker/engine-under-test.ts";
import { reportOf, type SandboxedProject, sandboxedProject, statuses, testIn } from "./sandboxed-project.ts";

let under: EngineUnderTest;
let sandbox: Sandbox;
let project: SandboxedProject;
const nodeTest = 'import { test } from "node:test";\nimport { one } from "../one.js";\n';

beforeAll(async () => {
  under = await engineUnderTest();
  sandbox = await under.start();
  project = await sandboxedProject(sandbox, null);
  await project.add({
    "package.json": JSON.stringify({ workspaces: ["packages/*"], scripts: { test: "npm test --workspaces" } }),
    "packages/a/package.json": JSON.stringify({ name: "a", type: "module", scripts: { test: "node --test" } }),
    "packages/a/one.js": "export const one = 1;\n",
    "packages/a/test/one.test.js": `${nodeTest}test("is one", () => { if (one !== 1) throw new Error("not one"); });\n`,
    "packages/b/package.json": JSON.stringify({ name: "b", scripts: { test: "python3 -m unittest" } }),
    "packages/b/test_b.py":
      "import unittest\n\n\nclass B(unittest.TestCase):\n    def test_b(self):\n        self.assertEqual(1, 2)\n",
    "packages/c/package.json": JSON.stringify({ name: "c", scripts: { test: "sh check.sh", posttest: "true" } }),
    "packages/c/check.sh": "echo 'error: c is wrong' >&2\nexit 3\n",
  });
});

afterAll(async () => {
  await sandbox[Symbol.asyncDispose]();
  expect(await under.leftOvers()).toEqual([]);
});

const c = "packages/c: sh check.sh && true";

test("the tests of all packages of a workspace are one run, each with its own runner", async () => {
  const run = await project.run("npm test");
  expect(run).toMatchObject({ runner: "packages", result: { status: "exited", exitCode: 1 } });
  expect(statuses(run)).toEqual({
    "packages/a/test/one.test.js > is one": "passed",
    "packages/b/test_b.py::B::test_b": "failed",
    "packages/a: node --test": "passed",
    "packages/b: python3 -m unittest": "skipped",
    [c]: "failed",
  });
  expect(redIds(run)).toEqual(["packages/b/test_b.py::B::test_b", c]);
  expect(testIn(run, c).message).toBe("exit status 3\nerror: c is wrong");
});

test("chosen tests run in their own package alone", async () => {
  const run = await project.run("npm test", { select: ["packages/b/test_b.py::B::test_b"] });
  expect(Object.keys(statuses(run))).toEqual(["packages/b/test_b.py::B::test_b", "packages/b: python3 -m unittest"]);
  expect(reportOf(run).complete).toBe(true);
});
