import { afterAll, beforeAll, expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { redIds } from "../../src/verify/target.ts";
import { type EngineUnderTest, engineUnderTest, never } from "../docker/engine-under-test.ts";
import { installedPackages } from "./installed-packages.ts";
import { jestStatuses } from "./jest-statuses.ts";
import { reportOf, sandboxedProject, statuses, testIn } from "./sandboxed-project.ts";

let under: EngineUnderTest;
let sandbox: Sandbox;
const kinds = "test/kinds.test.js";
/** Laying some 50 MB of packages into a sandbox takes its time. */
const timeout = 300_000;
const retry = "test/retry.test.js > passes when tried again";

beforeAll(async () => {
  under = await engineUnderTest();
  sandbox = await under.start();
});

afterAll(async () => {
  await sandbox[Symbol.asyncDispose]();
  expect(await under.leftOvers()).toEqual([]);
});

test.each(["30.5.2", "29.7.0", "26.6.3"])(
  "jest %s reports every kind of result, and runs chosen tests",
  async (version) => {
    const project = await sandboxedProject(sandbox, "runner-jest", await installedPackages({ jest: version }));
    const run = await project.run("npm test");
    expect(run).toMatchObject({ runner: "jest", result: { status: "exited", exitCode: 1 } });
    expect(run.result.stderr.text).toContain("Test Suites:");
    expect(run.result.stdout.text + run.result.stderr.text).not.toMatch(/autolith_|opt\/autolith/i);
    expect(statuses(run)).toEqual(jestStatuses(version));
    expect(reportOf(run).complete).toBe(true);

    expect(testIn(run, `${kinds} > throws in a library of the workspace`).exception).toMatchObject({
      type: "TypeError",
      message: "no price for b",
      frames: [
        { file: `/work/${kinds}`, line: 7, source: "cart.total(3);" },
        { file: "/work/src/shop.js", line: 10, function: "Cart.total" },
      ],
    });
    const compares = testIn(run, `${kinds} > compares`);
    expect(compares).toMatchObject({
      assertion: { operator: "toEqual", produced: "{sum: 4}", expected: "{sum: 5}" },
      exception: { type: "AssertionError", frames: [{ line: 13 }] },
    });
    expect(compares.message).toMatch(/-\s+"sum": 5.*printed by compares/s);
    expect(testIn(run, `${kinds} > asserts as node does`)).toMatchObject({
      assertion: { produced: "4", expected: "5" },
      exception: { type: "AssertionError", frames: [{ line: 22 }] },
    });
    expect(testIn(run, retry).attempts).toBe(version === "26.6.3" ? undefined : 3);
    expect(testIn(run, "test/syntax.test.js").exception?.frames).toMatchObject([{ line: 1, source: "const x = ;" }]);
    expect(testIn(run, "test/import.test.js").exception?.message).toContain("missing-package-of-nobody");
    expect((await sandbox.list(never)).filter(({ path }) => /^test.*__snapshots__/.test(path))).toEqual([]);

    const select = [`${kinds} > outer > grüße (2) > 5$ a/b?`, `${kinds} > outer > inner`, `${kinds} > skips`];
    const some = await project.run("npx jest -t old test/ --bail 1 --shard=1/2", { select, shuffleSeed: 5 });
    expect(statuses(some)).toEqual({
      [`${kinds} > outer > grüße (2) > 5$ a/b?`]: "failed",
      [`${kinds} > outer > inner > same name`]: "passed",
      [`${kinds} > outer > inner > same name #2`]: "failed",
      [`${kinds} > skips`]: "skipped",
    });
  },
  timeout,
);

test(
  "jest: what spins is named, what ends the process leaves no whole report, and modules are jest's own matter",
  async () => {
    const project = await sandboxedProject(sandbox, "runner-jest", await installedPackages({ jest: "29.7.0" }));
    const jest = "node --no-warnings node_modules/jest/bin/jest.js --config dies.config.js";
    const hung = await project.run(`${jest} dies/hang`, { timeoutMs: 20_000 });
    expect(hung.result.status).toBe("timeout");
    expect(redIds(hung)).toEqual(["dies/hang.test.js > spins"]);
    const ended = await project.run(`${jest} dies/exit`);
    expect(ended.report?.complete).toBe(false);
    expect(redIds(ended)).toEqual(["dies/exit.test.js > ends the process"]);

    const who = ["test/who.test.js > [one] > who", "test/who.test.js > [two] > who"];
    await project.add({
      "projects.config.js":
        'module.exports = { projects: ["one", "two"].map((displayName) => ({ displayName, globals: { WHO: displayName } })) };\n',
      "test/who.test.js": 'test("who", () => {\n  expect(WHO).toBe("two");\n});\n',
    });
    const many = await project.run("npx jest --config projects.config.js who");
    expect(statuses(many)).toEqual({ [who[0] ?? ""]: "failed", [who[1] ?? ""]: "passed" });

    await project.add({
      "package.json": '{ "type": "module", "jest": { "transform": {} } }',
      "test/module.test.js": 'import { test } from "@jest/globals";\ntest("a", () => {});\n',
    });
    const flag = "NODE_OPTIONS=--experimental-vm-modules";
    const modules = await project.run(`${flag} npx jest test/module.test.js`);
    expect(statuses(modules)).toEqual({ "test/module.test.js > a": "passed" });
    expect(reportOf(modules).complete).toBe(true);
  },
  timeout,
);
