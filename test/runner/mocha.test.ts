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
  project = await sandboxedProject(sandbox, "runner-mocha", await installedPackages({ mocha: "12.0.3" }));
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

test("a test that ends the process leaves a report that is not complete, although the exit status is 0", async () => {
  const run = await project.run("npx mocha --no-config dies/exit.js");
  expect(run.result.exitCode).toBe(0);
  expect(reportOf(run).complete).toBe(false);
  expect(statuses(run)).toEqual({ "dies/exit.js > passes": "passed" });
  expect(reportOf(run).collected).toHaveLength(3);
});

test("files that run in parallel are reported, and only those with chosen tests run", async () => {
  const command = "npx mocha --no-config --parallel --jobs 2 parallel";
  const run = await project.run(command);
  expect(statuses(run)).toEqual({ "parallel/a.js > a > passes": "passed", "parallel/a.js > a > fails": "failed" });
  expect(reportOf(run).problems).toMatchObject([{ exception: { message: "no database" } }]);
  const one = await project.run(command, { select: ["parallel/a.js > a > fails"] });
  expect(reportOf(one).problems).toBeUndefined();
});

test("a failure holds what its test printed, with the hooks around it, and nothing of mocha's own", async () => {
  const run = await project.run("npx mocha --no-config prints");
  const printed = (name: string) => testIn(run, `prints/prints.js > ${name}`).message.replace(/^.*?(?=--- )/s, "");
  const stdout = "--- stdout ---\nprinted before each\n";
  expect(printed("prints")).toBe(`${stdout}printed by it\n--- stderr ---\ncomplained by it`);
  expect(printed("replaces what prints")).toBe(stdout.trimEnd());
  expect(printed("without a set-up > never runs")).toBe("--- stdout ---\nprinted by the set-up");
  expect(run.result.stdout.text).toMatch(/printed before all\n.*printed by one that passes\n.*3 failing/s);
  const parallel = await project.run("npx mocha --no-config --parallel prints");
  expect(statuses(parallel)).toMatchObject({ "prints/prints.js > prints": "failed" });
});
