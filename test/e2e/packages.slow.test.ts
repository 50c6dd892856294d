import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { layerVolumes, removeLayers } from "../dependencies/layers-left.ts";
import { type EngineUnderTest, engineUnderTest } from "../docker/engine-under-test.ts";
import { startModelServer } from "../model-server/model-server.ts";
import { honestFixer } from "../model-server/policies/fixer.ts";
import { type Registry, startRegistry } from "../registry/registry.ts";
import { nobody, planFor } from "./fix-with.ts";
import type { Project, ProjectFiles } from "./projects.ts";
import { type FixRun, outputOf, projectFolder, runFix } from "./run-fix.ts";

let under: EngineUnderTest;
let registry: Registry;

beforeAll(async () => {
  under = await engineUnderTest();
  registry = await startRegistry({
    engine: under.engine,
    npm: [
      { name: "brackets", version: "1.0.0", files: { "index.js": "exports.wrap = (text) => '<' + text + '>';\n" } },
    ],
    python: [
      { name: "brackets", version: "1.0", files: { "brackets.py": "def wrap(text):\n    return '<' + text + '>'\n" } },
    ],
  });
});

afterAll(() => registry[Symbol.asyncDispose]());

const python: Project = {
  files: {
    "requirements.txt": "brackets==1.0\n",
    "names.py": "from brackets import wrap\n\n\ndef tag(name):\n    return wrap(name.lower())\n",
    "test_names.py":
      "from names import tag\n\n\ndef test_case_is_kept():\n    assert tag('Ada') == '<Ada>'\n\n\ndef test_plain():\n    assert tag('b') == '<b>'\n",
  },
  command: "pytest",
  repair: [{ path: "names.py", old_text: "wrap(name.lower())", new_text: "wrap(name)" }],
  testEdit: { path: "test_names.py", old_text: "'<Ada>'", new_text: "'<ada>'" },
  testFile: "test_names.py",
};

function node(): Project {
  const manifest = {
    name: "names",
    version: "1.0.0",
    scripts: { test: "node --test" },
    dependencies: { brackets: "1.0.0" },
  };
  return {
    files: {
      "package.json": JSON.stringify(manifest),
      "package-lock.json": registry.npm.lockfile(manifest),
      "names.js": 'const { wrap } = require("brackets");\nexports.tag = (name) => wrap(name.toLowerCase());\n',
      "names.test.js":
        'const { test } = require("node:test");\nconst assert = require("node:assert/strict");\nconst { tag } = require("./names.js");\n\ntest("case is kept", () => assert.equal(tag("Ada"), "<Ada>"));\ntest("plain", () => assert.equal(tag("b"), "<b>"));\n',
    },
    command: "npm test",
    repair: [{ path: "names.js", old_text: "wrap(name.toLowerCase())", new_text: "wrap(name)" }],
    testEdit: { path: "names.test.js", old_text: '"<Ada>"', new_text: '"<ada>"' },
    testFile: "names.test.js",
  };
}

/** A data directory, whose layers are removed when the test ends. */
function dataDirectory(): string {
  const folder = projectFolder({});
  onTestFinished(() => removeLayers(under.engine, ownerOf(folder)));
  return folder;
}

function ownerOf(folder: string): string {
  return readFileSync(join(folder, "instance-id"), "utf8").trim();
}

function run(
  files: ProjectFiles,
  modelUrl: string,
  data: string,
  environment: Record<string, string> = {},
): Promise<FixRun> {
  const own = { AUTOLITH_DATA_DIR: data, ...registry.environment, ...environment };
  return runFix(["--repo", projectFolder(files), "--json"], { modelUrl, environment: own });
}

test.each([
  ["Python", () => python],
  ["Node", node],
])("%s: a project whose tests need a package is repaired, and the proof has the package too", async (_, project) => {
  await using model = await startModelServer({ policy: honestFixer(planFor(project())) });
  const data = dataDirectory();
  const fixed = await run(project().files, model.url, data);
  expect(outputOf(fixed)).toMatchObject({ outcome: "fixed", proof: { redOnRevert: true, regressions: [] } });
  expect(fixed.stderr).toMatch(/install +(?:npm|pip): installed, \d+ files/);
  expect(outputOf(fixed).patch).not.toMatch(/node_modules|brackets\.py|package-lock/);
  expect(await layerVolumes(under.engine, ownerOf(data))).toHaveLength(2);
});

test("an install that fails is the outcome, before a model is asked", async () => {
  await using model = await startModelServer({ policy: nobody });
  const data = dataDirectory();
  const failed = await run({ ...python.files, "requirements.txt": "no-such-package\n" }, model.url, data);
  expect(outputOf(failed)).toMatchObject({
    outcome: "environment",
    iterations: 0,
    reason: expect.stringContaining("Could not find a version that satisfies the requirement no-such-package"),
  });
  expect(failed.exitCode).toBe(1);
  expect(model.requests).toEqual([]);
  expect(await layerVolumes(under.engine, ownerOf(data))).toEqual([]);
});

test("no credential of the host reaches an install or a trace", async () => {
  await using model = await startModelServer({ policy: nobody });
  const data = dataDirectory();
  const { host } = new URL(registry.index);
  const files = {
    ".github/autolith.yml": "setup:\n  - env\n  - cat /layer/.autolith/* || true\n  - exit 3\n",
    "test_a.py": "",
  };
  const failed = await run(files, model.url, data, {
    PIP_INDEX_URL: `http://me:hunter2-secret@${host}/python/simple/`,
    OPENAI_API_KEY: "sk-hunter2-secret",
    npm_config__authToken: "hunter2-secret",
    https_proxy: "http://me:hunter2-secret@127.0.0.1:9/",
  });
  expect(outputOf(failed).outcome).toBe("environment");
  expect(failed.stderr + failed.stdout + readFileSync(outputOf(failed).trace, "utf8")).not.toContain("hunter2");
});
