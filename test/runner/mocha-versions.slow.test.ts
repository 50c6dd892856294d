import { afterAll, beforeAll, expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { type EngineUnderTest, engineUnderTest } from "../docker/engine-under-test.ts";
import { installedPackages } from "./installed-packages.ts";
import { mochaStatuses } from "./mocha-statuses.ts";
import { reportOf, sandboxedProject, statuses, testIn } from "./sandboxed-project.ts";

let under: EngineUnderTest;
let sandbox: Sandbox;

beforeAll(async () => {
  under = await engineUnderTest();
  sandbox = await under.start();
});

afterAll(async () => {
  await sandbox[Symbol.asyncDispose]();
  expect(await under.leftOvers()).toEqual([]);
});

test.each(["9.2.2", "10.8.2", "11.8.0"])("mocha %s reports what the newest does", async (version) => {
  const project = await sandboxedProject(sandbox, "runner-mocha", await installedPackages({ mocha: version }));
  const run = await project.run("npm test");
  expect(statuses(run)).toEqual(mochaStatuses);
  const thrown = testIn(run, "test/kinds.js > throws in a library of the workspace").exception;
  expect(thrown?.frames.at(-1)).toMatchObject({ file: "/work/lib/shop.js", line: 11, locals: { rate: "3" } });
  const select = ["test/kinds.js > outer > inner > same name #2"];
  expect(reportOf(await project.run("npm test", { select })).collected).toEqual(select);
  expect(statuses(await project.run("npx mocha --no-config broken/syntax.js"))).toEqual({
    "broken/syntax.js": "error",
  });
  const parallel = await project.run("npx mocha --no-config --parallel --jobs 2 parallel");
  expect(statuses(parallel)).toEqual({ "parallel/a.js > a > passes": "passed", "parallel/a.js > a > fails": "failed" });
});
