import { afterAll, beforeAll, expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { redIds } from "../../src/verify/target.ts";
import { type EngineUnderTest, engineUnderTest } from "../docker/engine-under-test.ts";
import { ownPackage } from "./installed-packages.ts";
import { reportOf, type SandboxedProject, sandboxedProject, statuses, testIn } from "./sandboxed-project.ts";

let under: EngineUnderTest;
let sandbox: Sandbox;
let project: SandboxedProject;
const dies = "npx vitest run --config dies.config.mjs";

beforeAll(async () => {
  under = await engineUnderTest();
  sandbox = await under.start();
  project = await sandboxedProject(sandbox, "runner-vitest", await ownPackage("vitest"));
});

afterAll(async () => {
  await sandbox[Symbol.asyncDispose]();
  expect(await under.leftOvers()).toEqual([]);
});

test("a test that spins is named, with the place where it spins as its author wrote it", async () => {
  const run = await project.run(`${dies} dies/hang`, { timeoutMs: 20_000 });
  expect(run.result.status).toBe("timeout");
  const { collected, complete } = reportOf(run);
  expect({ first: collected[0], complete }).toEqual({ first: "dies/hang.test.ts > group > spins", complete: false });
  expect(run.result.stack).toMatch(
    /^in dies\/hang\.test\.ts > group > spins\n.*hang\.test\.ts:8 in .*limit = 7\n.*src\/shop\.ts:27 in spin\n.*turns = \d+/s,
  );
});

test("a test that waits for ever is named", async () => {
  const run = await project.run(`${dies} dies/wait`, { timeoutMs: 20_000 });
  expect(run.result.status).toBe("timeout");
  expect(statuses(run)).toEqual({ "dies/wait.test.ts > first": "passed" });
  expect(redIds(run)).toEqual(["dies/wait.test.ts > waits for ever"]);
});

test("tests whose process dies or wants to end are red", async () => {
  const run = await project.run(`${dies} dies/exit dies/killed`);
  expect(run.result.exitCode).toBe(1);
  expect(statuses(run)).toEqual({
    "dies/exit.test.ts > ends the process": "failed",
    "dies/killed.test.ts > dies": "error",
  });
  expect(testIn(run, "dies/exit.test.ts > ends the process").message).toContain("process.exit");
});

test("a file that belongs to several projects has an id in each", async () => {
  const ids = ["projects/who.test.ts > [one] > who is it?", "projects/who.test.ts > [two] > who is it?"];
  const all = await project.run("npx vitest run --config projects.config.mjs");
  expect(statuses(all)).toEqual({ [ids[0] ?? ""]: "failed", [ids[1] ?? ""]: "skipped" });
  const one = await project.run("npx vitest run --config projects.config.mjs", { select: ids.slice(0, 1) });
  expect(statuses(one)).toEqual({ [ids[0] ?? ""]: "failed" });
});

test.each(["threads", "vmThreads"])("the pool %s reports what it can", async (pool) => {
  const id = "test/kinds.test.ts > throws in a library of the workspace";
  const run = await project.run(`npx vitest --pool=${pool}`, { select: [id] });
  expect(run.result.stderr.text).not.toContain("INSPECTOR");
  const locals = pool === "threads" ? { cart: expect.stringContaining("Cart{") } : {};
  expect(testIn(run, id).exception?.frames).toMatchObject([{ line: 13, locals }, { line: 14 }]);
});

test.each([
  "npx vitest --reporter=dot",
  "NODE_OPTIONS=--no-warnings npx vitest --watch",
  "node node_modules/vitest/vitest.mjs related src/green.ts",
  "true && ./node_modules/.bin/vitest run",
  "sh -c 'npx vitest run -- --what'",
])("reports however the command starts it: %s", async (command) => {
  const green = await sandboxedProject(sandbox, null, await ownPackage("vitest"));
  await green.add({
    "src/green.ts": "export const green: string = 'green';\n",
    "src/green.test.ts": 'import { test } from "vitest";\nimport "./green.ts";\ntest("a", () => {});\n',
    "package.json": '{ "type": "module" }',
  });
  const run = await green.run(command);
  expect(run.result).toMatchObject({ status: "exited", exitCode: 0 });
  expect(run.result.stdout.text).toMatch(/1 passed/);
  expect(run.report).toEqual({
    collected: ["src/green.test.ts > a"],
    tests: [expect.objectContaining({ id: "src/green.test.ts > a", status: "passed" })],
    complete: true,
  });
});
