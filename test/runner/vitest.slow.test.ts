import { afterAll, beforeAll, expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { type EngineUnderTest, engineUnderTest, never } from "../docker/engine-under-test.ts";
import { installedPackages, ownPackage } from "./installed-packages.ts";
import { reportOf, sandboxedProject, statuses, testIn } from "./sandboxed-project.ts";
import { vitestStatuses } from "./vitest-statuses.ts";

let under: EngineUnderTest;
let sandbox: Sandbox;
const kinds = "test/kinds.test.ts";
const cart = 'Cart{items: [{name: "a", price: 1}, {name: "b"}], apiKey: [redacted]}';

const versions = [["4"], ["3.2.4"], ["2.1.9"], ["1.6.1"]] as const;
type Version = (typeof versions)[number][0];

beforeAll(async () => {
  under = await engineUnderTest();
  sandbox = await under.start();
});

afterAll(async () => {
  await sandbox[Symbol.asyncDispose]();
  expect(await under.leftOvers()).toEqual([]);
});

async function projectWith(version: Version) {
  const packages = version === "4" ? await ownPackage("vitest") : await installedPackages({ vitest: version });
  return sandboxedProject(sandbox, "runner-vitest", packages);
}

test.each(versions)(
  "vitest %s: every kind of result is reported, with what is needed to repair it",
  async (version) => {
    const project = await projectWith(version);
    const run = await project.run("npm test");
    expect(run).toMatchObject({ runner: "vitest", result: { status: "exited", exitCode: 1 } });
    expect(run.result.stdout.text).toContain("Test Files");
    expect(run.result.stdout.text + run.result.stderr.text).not.toMatch(/autolith/i);
    expect(statuses(run)).toEqual(vitestStatuses);
    const { collected, complete, problems } = reportOf(run);
    expect(complete).toBe(true);
    expect(collected.toSorted()).toEqual(
      Object.keys(vitestStatuses)
        .filter((id) => id.includes(" > "))
        .toSorted(),
    );
    expect(problems).toMatchObject([
      { id: `${kinds} > set-up`, exception: { message: "no database" } },
      { id: `${kinds} > tear-down`, exception: { message: "cannot close" } },
      { id: `${kinds} > leaves a rejection behind`, exception: { message: "nobody catches this" } },
    ]);

    expect(testIn(run, `${kinds} > throws in a library of the workspace`).exception).toEqual({
      type: "TypeError",
      message: "no price for b",
      frames: [
        {
          file: `/work/${kinds}`,
          line: 13,
          function: "<anonymous>",
          source: "cart.total(3);",
          locals: { cart },
        },
        {
          file: "/work/src/shop.ts",
          line: 14,
          function: "Cart.total",
          source: expect.stringContaining("throw new TypeError"),
          locals: { this: cart, price: "NaN", item: '{name: "b"}', rate: "3", sum: "3" },
        },
      ],
    });
    const compares = testIn(run, `${kinds} > compares`);
    expect(compares).toMatchObject({
      assertion: { operator: "toEqual", produced: expect.stringContaining('"sum": 4'), expected: expect.any(String) },
      exception: { type: "AssertionError", frames: [{ line: 20, locals: { result: "{sum: 4}" } }] },
    });
    expect(compares.message).toMatch(/-\s+"sum": 5.*--- stdout ---\nprinted by.*--- stderr ---\ncomplained by/s);
    expect(testIn(run, `${kinds} > compares after an await`)).toMatchObject({
      assertion: { operator: "toBe", produced: "tree", expected: "three" },
      exception: { frames: [{ line: 25, locals: { text: '"tree"' } }] },
    });
    expect(testIn(run, `${kinds} > passes when tried again`)).toMatchObject({ attempts: 3, message: /try 2/ });
    expect(testIn(run, "test/syntax.test.ts").exception?.frames).toMatchObject([
      { file: "/work/test/syntax.test.ts", line: 1, source: "export const x: number = ;" },
    ]);
    expect(testIn(run, "test/top.test.ts").exception).toMatchObject({
      type: "TypeError",
      frames: [{ file: "/work/test/top.test.ts", line: 2, locals: { table: "{}" } }],
    });
    expect(testIn(run, "test/import.test.ts").exception?.message).toContain("missing-package-of-nobody");
    expect((await sandbox.list(never)).filter(({ path }) => path.includes("__snapshots__"))).toEqual([]);
  },
);

test.each(versions)("vitest %s: chosen tests run, in another order, and no other is reported", async (version) => {
  const project = await projectWith(version);
  const select = [
    `${kinds} > outer > grüße (2) > 5$ a/b?`,
    `${kinds} > outer > inner > same name #2`,
    `${kinds} > skips`,
  ];
  const some = await project.run("npx vitest watch test/ --bail 1 -t passes", {
    select,
    shuffleSeed: 7,
    locals: false,
  });
  expect(statuses(some)).toEqual({
    [`${kinds} > outer > grüße (2) > 5$ a/b?`]: "failed",
    [`${kinds} > outer > inner > same name`]: "passed",
    [`${kinds} > outer > inner > same name #2`]: "failed",
    [`${kinds} > skips`]: "skipped",
  });
  expect(some.result.stdout.text).toMatch(/seed "?7/i);
  expect(testIn(some, `${kinds} > outer > inner > same name #2`).exception?.frames).toMatchObject([{ locals: {} }]);
  const suite = await project.run("npm test -- --shard=1/4", { select: [`${kinds} > concurrent`, "test/top.test.ts"] });
  expect(statuses(suite)).toMatchObject({ [`${kinds} > concurrent > one`]: "passed", "test/top.test.ts": "error" });
});
