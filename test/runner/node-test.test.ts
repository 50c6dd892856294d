import { afterAll, beforeAll, expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { type EngineUnderTest, engineUnderTest, never } from "../docker/engine-under-test.ts";
import { reportOf, type SandboxedProject, sandboxedProject, statuses, testIn } from "./sandboxed-project.ts";

let under: EngineUnderTest;
let sandbox: Sandbox;
let project: SandboxedProject;
const kinds = "test/kinds.test.js";

beforeAll(async () => {
  under = await engineUnderTest();
  sandbox = await under.start();
  project = await sandboxedProject(sandbox, "runner-node");
});

afterAll(async () => {
  await sandbox[Symbol.asyncDispose]();
  expect(await under.leftOvers()).toEqual([]);
});

test("every kind of result has its status, under an id of file, suites and name", async () => {
  const run = await project.run("npm test");
  expect(run.result.exitCode).toBe(1);
  expect(run.result.stdout.text).toContain("✔ passes");
  expect(reportOf(run)).toMatchObject({ complete: true });
  expect(reportOf(run).collected.toSorted()).toEqual(Object.keys(statuses(run)).toSorted());
  expect(statuses(run)).toEqual({
    [`${kinds} > passes`]: "passed",
    [`${kinds} > throws in a library of the workspace`]: "failed",
    [`${kinds} > throws after an await`]: "failed",
    [`${kinds} > compares`]: "failed",
    [`${kinds} > compares deeply`]: "failed",
    [`${kinds} > outer > inner > grüße > 1`]: "passed",
    [`${kinds} > outer > inner > same name`]: "passed",
    [`${kinds} > outer > inner > same name #2`]: "failed",
    [`${kinds} > outer > skipped`]: "skipped",
    [`${kinds} > outer > to do`]: "xfailed",
    [`${kinds} > parent > child`]: "failed",
    [`${kinds} > parent`]: "failed",
    [`${kinds} > hook > never runs`]: "error",
    [`${kinds} > times out`]: "failed",
    [`${kinds} > throws no error`]: "failed",
    [`${kinds} > expects many errors`]: "passed",
    [`${kinds} > an error that was thrown is as before`]: "passed",
    [`${kinds} > sees no variable of ours`]: "passed",
    "test/import.test.js": "error",
    "test/syntax.test.js": "error",
    "test/top.test.cjs": "error",
    "test/script.test.js": "passed",
  });
  expect(reportOf(run).problems).toMatchObject([{ id: `${kinds} > hook`, exception: { message: "no database" } }]);
});

test("failures carry operands, frames, and the locals of the frames that threw, without secrets", async () => {
  const run = await project.run("npm test", { select: [kinds] });
  expect(testIn(run, `${kinds} > compares`)).toMatchObject({
    file: kinds,
    assertion: { operator: "strictEqual", produced: "4", expected: "5" },
    exception: { type: "AssertionError", frames: [{ line: 22, locals: { sum: "4" } }] },
  });
  expect(testIn(run, `${kinds} > compares deeply`).assertion).toEqual({
    operator: "deepEqual",
    produced: "{a: [1, 2]}",
    expected: "{a: [1, 3]}",
  });
  const thrown = testIn(run, `${kinds} > throws in a library of the workspace`);
  const cart = 'Cart{items: [{name: "a", price: 1}, {name: "b"}], apiKey: [redacted]}';
  expect(thrown.exception).toEqual({
    type: "TypeError",
    message: "no price for b",
    frames: [
      {
        file: `/work/${kinds}`,
        line: 10,
        function: "TestContext.<anonymous>",
        source: "cart.total(3);",
        locals: { cart },
      },
      {
        file: "/work/lib/shop.js",
        line: 11,
        function: "Cart.total",
        source: expect.stringContaining("throw new TypeError"),
        locals: { this: cart, price: "NaN", item: '{name: "b"}', rate: "3", sum: "3" },
      },
    ],
  });
  const after = testIn(run, `${kinds} > throws after an await`).exception?.frames.map((frame) => frame.locals);
  expect(after).toEqual([
    {},
    { cart: 'Cart{items: [{name: "b"}], apiKey: undefined}', rate: "2" },
    expect.objectContaining({ price: "NaN", sum: "0" }),
  ]);
});

test("files that do not load are errors under their own names, with the place", async () => {
  const run = await project.run("node --test", {
    select: ["test/import.test.js", "test/syntax.test.js", "test/top.test.cjs"],
  });
  expect(testIn(run, "test/import.test.js")).toMatchObject({
    message: expect.stringMatching(/exit status 1\n.*Cannot find package/s),
    exception: { type: "Error", message: expect.stringContaining("Cannot find package 'missing-package-of-nobody'") },
  });
  expect(testIn(run, "test/syntax.test.js").exception).toMatchObject({
    type: "SyntaxError",
    message: "Unexpected token ';'",
    frames: [{ file: "/work/test/syntax.test.js", line: 1, source: "const x = ;" }],
  });
  expect(testIn(run, "test/top.test.cjs").exception).toMatchObject({
    type: "TypeError",
    frames: [{ file: "/work/test/top.test.cjs", line: 2, locals: { table: "{a: 1}" } }],
  });
  expect(reportOf(run).tests).toHaveLength(3);
});

test("without locals nothing but the locals is missing", async () => {
  const run = await project.run("npm test", { select: [kinds], locals: false });
  const frames = testIn(run, `${kinds} > compares`).exception?.frames;
  expect(frames).toMatchObject([{ line: 22, locals: {} }]);
});

test("a file whose tests end the process passes for node, but its tests are not there", async () => {
  const run = await project.run("node --test dies/exit.mjs");
  expect(run.result.exitCode).toBe(0);
  expect(statuses(run)).not.toHaveProperty("dies/exit.mjs > never runs");
});

test("a test that spins is named, with the place where it spins", async () => {
  const run = await project.run("node --test dies/hang.mjs", { timeoutMs: 6_000 });
  expect(run.result.status).toBe("timeout");
  expect(reportOf(run)).toMatchObject({ collected: ["dies/hang.mjs > group > spins"], tests: [], complete: false });
  expect(run.result.stack).toMatch(
    /^in dies\/hang\.mjs > group > spins\n.*dies\/hang\.mjs:9 in .*limit = 7\n.*lib\/shop\.js:26 in spin\n.*turns = \d+/s,
  );
});

test("a test that waits for ever is named", async () => {
  const run = await project.run("node --test dies/wait.mjs", { timeoutMs: 6_000 });
  expect(run.result.status).toBe("timeout");
  expect(statuses(run)).toEqual({ "dies/wait.mjs > first": "passed" });
  expect(reportOf(run).collected).toEqual(["dies/wait.mjs > first", "dies/wait.mjs > waits for ever"]);
});

test.each([
  "node --test --test-reporter=dot",
  "node --test --test-reporter=dot --test-reporter-destination=stdout",
  "NODE_OPTIONS=--no-warnings node --test",
  "npx node --test --test-isolation=none",
  "node --test test/",
])("reports beside the command's own options: %s", async (command) => {
  const green = await sandboxedProject(sandbox, null);
  await green.add({
    "test/a.test.mjs": 'import { test } from "node:test";\ntest("a", () => {});\n',
    "package.json": "{}",
  });
  const run = await green.run(command);
  expect(run.result).toMatchObject({ status: "exited", exitCode: 0, stderr: { text: "" } });
  expect(run.result.stdout.text).not.toBe("");
  expect(run.report).toEqual({
    collected: ["test/a.test.mjs > a"],
    tests: [expect.objectContaining({ id: "test/a.test.mjs > a", status: "passed" })],
    complete: true,
  });
});

test("scripts around the test script run, too", async () => {
  const wrapped = await sandboxedProject(sandbox, null);
  const scripts = { pretest: "echo before > made.txt", test: "node --test", posttest: "cat made.txt" };
  await wrapped.add({
    "package.json": JSON.stringify({ scripts }),
    "a.test.mjs": 'import { test } from "node:test";\ntest("a", () => {});\n',
  });
  const run = await wrapped.run("npm test");
  expect(run.result.stdout.text).toMatch(/✔ a .*before\n$/s);
  expect(statuses(run)).toEqual({ "a.test.mjs > a": "passed" });
  expect((await sandbox.list(never)).map(({ path }) => path)).toContain("made.txt");
});

test("a failure holds what its file printed, which is as much as node tells", async () => {
  const whole = await sandboxedProject(sandbox, "runner-node");
  const run = await whole.run("node --test prints/prints.mjs");
  // What goes to standard error comes another way, and may come later than the result.
  expect(testIn(run, "prints/prints.mjs > prints").message).toMatch(
    /--- stdout of the file ---\nprinted by one that passes\nprinted by it(?:\n--- stderr of the file ---\ncomplained by it)?$/,
  );
});
