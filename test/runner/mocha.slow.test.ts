import { afterAll, beforeAll, expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { redIds } from "../../src/verify/target.ts";
import { type EngineUnderTest, engineUnderTest } from "../docker/engine-under-test.ts";
import { installedPackages } from "./installed-packages.ts";
import { reportOf, type SandboxedProject, sandboxedProject, statuses, testIn } from "./sandboxed-project.ts";

let under: EngineUnderTest;
let sandbox: Sandbox;
let project: SandboxedProject;

beforeAll(async () => {
  under = await engineUnderTest();
  sandbox = await under.start();
  project = await sandboxedProject(
    sandbox,
    "runner-mocha",
    await installedPackages({ mocha: "12.0.3", chai: "6.2.1" }),
  );
});

afterAll(async () => {
  await sandbox[Symbol.asyncDispose]();
  expect(await under.leftOvers()).toEqual([]);
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

test("a test that spins is named, with the place where it spins", async () => {
  const run = await project.run("npx mocha --no-config dies/hang.js", { timeoutMs: 15_000 });
  expect(run.result.status).toBe("timeout");
  expect(reportOf(run)).toMatchObject({ collected: ["dies/hang.js > group > spins"], tests: [], complete: false });
  expect(run.result.stack).toMatch(
    /^in dies\/hang\.js > group > spins\n.*dies\/hang\.js:6 in .*limit = 7\n.*lib\/shop\.js:20 in spin\n.*turns = \d+/s,
  );
});

test("a test that waits for ever is named", async () => {
  const run = await project.run("npx mocha --no-config dies/wait.js", { timeoutMs: 10_000 });
  expect(run.result.status).toBe("timeout");
  expect(statuses(run)).toEqual({ "dies/wait.js > first": "passed" });
  expect(redIds(run)).toEqual(["dies/wait.js > waits for ever"]);
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
