import { afterAll, beforeAll, expect, test } from "vitest";
import { runTests } from "../../src/runner/run-tests.ts";
import { never } from "../docker/engine-under-test.ts";
import { type InstallScene, installScene } from "./install-scene.ts";

let scene: InstallScene;

beforeAll(async () => {
  scene = await installScene({
    npm: [{ name: "left", version: "1.0.0", files: { "index.js": "module.exports = (text) => '<' + text;\n" } }],
  });
});

afterAll(() => scene[Symbol.asyncDispose]());

function project(): Record<string, string> {
  const manifest = {
    name: "shop",
    version: "1.0.0",
    scripts: { test: "node --test" },
    dependencies: { left: "1.0.0" },
  };
  return {
    "package.json": JSON.stringify(manifest),
    "package-lock.json": scene.registry.npm.lockfile(manifest),
    "shop.test.js":
      'const { test } = require("node:test");\nconst assert = require("node:assert");\ntest("left", () => assert.equal(require("left")("a"), "<a"));\n',
  };
}

test("what a lockfile names is installed, found by the tests, and installed once only", async () => {
  const first = await scene.install(project(), "npm test");
  expect(first.record).toMatchObject({ manager: "npm", source: "fresh", ok: true, notes: [] });
  expect(project()["package-lock.json"]).not.toContain("resolved");
  await using sandbox = await first.start();
  const run = await runTests(sandbox, first.command, { timeoutMs: 60_000 }, never);
  expect(run.report?.tests.map(({ status }) => status)).toEqual(["passed"]);
  const asked = scene.registry.requests.length;
  expect(asked).toBeGreaterThan(0);
  // Another commit with the same lockfile.
  const second = await scene.install({ ...project(), "other.js": "" }, "npm test");
  expect(second.record).toMatchObject({ source: "cached", key: first.record?.key });
  expect(scene.registry.requests.length).toBe(asked);
  expect(await scene.layers()).toHaveLength(2);
});

test("a package that is not there is said in one line, and leaves nothing", async () => {
  const files = project();
  const manifest = JSON.parse(files["package.json"] ?? "");
  manifest.dependencies.right = "2.0.0";
  const before = await scene.layers();
  const { "package-lock.json": _, ...rest } = files;
  const { installed } = await scene.install({ ...rest, "package.json": JSON.stringify(manifest) }, "npm test");
  expect(installed).toEqual({
    kind: "failed",
    reason: expect.stringMatching(
      /^the dependencies could not be installed: npm install: 404 Not Found - GET http.*right/,
    ),
  });
  expect(await scene.layers()).toEqual(before);
});
