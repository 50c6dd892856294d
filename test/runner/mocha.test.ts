import { afterAll, beforeAll, expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { type EngineUnderTest, engineUnderTest } from "../docker/engine-under-test.ts";
import { installedPackages } from "./installed-packages.ts";
import { mochaStatuses } from "./mocha-statuses.ts";
import { reportOf, type SandboxedProject, sandboxedProject, statuses, testIn } from "./sandboxed-project.ts";

let under: EngineUnderTest;
let sandbox: Sandbox;
let project: SandboxedProject;
const kinds = "test/kinds.js";

beforeAll(async () => {
  under = await engineUnderTest();
  sandbox = await under.start();
  project = await sandboxedProject(
    sandbox,
    "runner-mocha",
    await installedPackages({ mocha: "12.0.3", chai: "6.2.1" }),
  );
}, 120_000);

afterAll(async () => {
  await sandbox[Symbol.asyncDispose]();
  expect(await under.leftOvers()).toEqual([]);
});

test("every kind of result has its status, under an id of file, suites and name", async () => {
  const run = await project.run("npm test");
  expect(run).toMatchObject({ runner: "mocha", result: { exitCode: 12 } });
  expect(run.result.stdout.text).toContain("12 failing");
  expect(reportOf(run)).toMatchObject({ complete: true });
  expect(reportOf(run).collected.toSorted()).toEqual(Object.keys(mochaStatuses).toSorted());
  expect(statuses(run)).toEqual(mochaStatuses);
});

test("failures carry operands, frames with whole paths, and locals without secrets", async () => {
  const run = await project.run("npm run quiet", { select: [kinds] });
  expect(testIn(run, `${kinds} > compares`)).toMatchObject({
    file: kinds,
    assertion: { operator: "strictEqual", produced: "4", expected: "5" },
    exception: { type: "AssertionError", frames: [{ file: `/work/${kinds}`, line: 13, locals: { sum: "4" } }] },
  });
  const cart = 'Cart{items: [{name: "a", price: 1}, {name: "b"}], apiKey: [redacted]}';
  expect(testIn(run, `${kinds} > throws in a library of the workspace`).exception?.frames).toMatchObject([
    { file: `/work/${kinds}`, line: 8, source: "cart.total(3);", locals: { cart } },
    { file: "/work/lib/shop.js", line: 11, function: "Cart.total", locals: { this: cart, price: "NaN", rate: "3" } },
  ]);
  const kept = testIn(run, `${kinds} > outer > keeps this`).exception?.frames.at(-1)?.locals;
  expect(kept).toEqual({});
  expect(testIn(run, `${kinds} > passes at last`).attempts).toBe(3);
  expect(testIn(run, `${kinds} > times out`).exception?.message).toMatch(/^Timeout of 300ms exceeded/);
});

test("only selected tests run, with the hooks around them", async () => {
  const select = [`${kinds} > outer > inner > same name #2`, "test/hooks.mjs > before each > some > is left out"];
  const run = await project.run("npm test", { select });
  expect(statuses(run)).toEqual({ [select[0] ?? ""]: "failed", [select[1] ?? ""]: "error" });
  expect(reportOf(run).collected.toSorted()).toEqual(select.toSorted());
});

test.each([
  ["broken/import.js", "Error", [["/work/broken/import.js", 1]]],
  ["broken/syntax.js", "SyntaxError", [["/work/broken/syntax.js", 2]]],
  ["broken/top.js", "TypeError", [["/work/broken/top.js", 2]]],
  ["broken/gone-import.mjs", "Error", []],
  ["broken/syntax.mjs", "SyntaxError", []],
])("a file that does not load is an error under its own name: %s", async (file, type, places) => {
  const run = await project.run(`npx mocha --no-config lib/shop.js ${file}`);
  expect(run.result.exitCode).toBe(1);
  expect(reportOf(run).tests).toMatchObject([{ id: file, file, status: "error", exception: { type } }]);
  expect(testIn(run, file).exception?.frames.map((frame) => [frame.file, frame.line])).toEqual(places);
});

test("a test that ends the process leaves a report that is not complete, although the exit status is 0", async () => {
  const run = await project.run("npx mocha --no-config dies/exit.js");
  expect(run.result.exitCode).toBe(0);
  expect(reportOf(run).complete).toBe(false);
  expect(statuses(run)).toEqual({ "dies/exit.js > passes": "passed" });
  expect(reportOf(run).collected).toHaveLength(3);
});

test("a test that spins is named, with the place where it spins", async () => {
  const run = await project.run("npx mocha --no-config dies/hang.js", { timeoutMs: 6_000 });
  expect(run.result.status).toBe("timeout");
  expect(reportOf(run)).toMatchObject({ collected: ["dies/hang.js > group > spins"], tests: [], complete: false });
  expect(run.result.stack).toMatch(/^in dies\/hang\.js > group > spins\n.*dies\/hang\.js:6 in .*limit = 7\n.*lib\/shop\.js:20 in spin\n.*turns = \d+/s);
});

test("a test that waits for ever is named", async () => {
  const run = await project.run("npx mocha --no-config dies/wait.js", { timeoutMs: 3_000 });
  expect(run.result.status).toBe("timeout");
  expect(statuses(run)).toEqual({ "dies/wait.js > first": "passed" });
  expect(reportOf(run).collected).toEqual(["dies/wait.js > first", "dies/wait.js > waits for ever"]);
});

test("files that run in parallel are reported, and only those with chosen tests run", async () => {
  const command = "npx mocha --no-config --parallel --jobs 2 parallel";
  const run = await project.run(command);
  expect(statuses(run)).toEqual({ "parallel/a.js > a > passes": "passed", "parallel/a.js > a > fails": "failed" });
  expect(reportOf(run).problems).toMatchObject([{ exception: { message: "no database" } }]);
  const one = await project.run(command, { select: ["parallel/a.js > a > fails"] });
  expect(reportOf(one).problems).toBeUndefined();
});

test.each([
  "npx mocha --no-config --exit dies/timer.js",
  "node node_modules/mocha/bin/mocha.js --max-old-space-size=400 --no-config --exit dies/timer.js",
])("it reports however mocha is started: %s", async (command) => {
  const run = await project.run(command);
  expect(statuses(run)).toEqual({ "dies/timer.js > leaves a timer": "passed" });
  expect(reportOf(run).complete).toBe(true);
});

test("operands of another assertion library are shown", async () => {
  await project.add({
    "other/chai.mjs":
      'import { expect } from "chai";\n\nit("equals", () => expect({ a: 1 }).to.deep.equal({ a: 2 }));\n',
  });
  const run = await project.run("npx mocha --no-config other/chai.mjs");
  const { assertion } = testIn(run, "other/chai.mjs > equals");
  expect(assertion).toMatchObject({ produced: "{a: 1}", expected: "{a: 2}" });
});
