import { afterAll, beforeAll, expect, test } from "vitest";
import { runTests } from "../../src/runner/run-tests.ts";
import { never } from "../docker/engine-under-test.ts";
import { type Install, type InstallScene, installScene } from "./install-scene.ts";

let scene: InstallScene;

beforeAll(async () => {
  scene = await installScene({
    python: [
      { name: "left-pad", version: "1.0", files: { "left_pad.py": "def pad(text):\n    return '<' + text\n" } },
      { name: "left-pad", version: "2.0", files: { "left_pad.py": "def pad(text):\n    return '<<' + text\n" } },
      { name: "built", version: "1.0", source: true, requires: ["left-pad"], files: { "built.py": "answer = 42\n" } },
    ],
  });
});

afterAll(() => scene[Symbol.asyncDispose]());

async function statuses({ start, command }: Install): Promise<readonly string[] | undefined> {
  await using sandbox = await start();
  const run = await runTests(sandbox, command, { timeoutMs: 60_000 }, never);
  return run.report?.tests.map(({ status }) => status);
}

const usesPad = "from left_pad import pad\n\n\ndef test_pad():\n    assert pad('a') == '<a'\n";

test("requirements are installed where both ways to start pytest find them", async () => {
  const files = { "requirements.txt": "-r more/all.txt\n", "more/all.txt": "left-pad==1.0\n", "test_pad.py": usesPad };
  const installed = await scene.install(files, "pytest");
  expect(installed.record).toMatchObject({ manager: "pip", source: "fresh", ok: true, notes: [] });
  expect(await statuses(installed)).toEqual(["passed"]);
  const again = await scene.install(files, "python3 -m pytest");
  expect(again.record).toMatchObject({ source: "cached" });
  expect(await statuses(again)).toEqual(["passed"]);
  // A file that another one names decides as well.
  const changed = await scene.install({ ...files, "more/all.txt": "left-pad==2.0\n" }, "pytest");
  expect(changed.record).toMatchObject({ source: "fresh" });
  expect(await statuses(changed)).toEqual(["failed"]);
});

test("what was installed is there in the live runtime", async () => {
  const { start } = await scene.install({ "requirements.txt": "left-pad==1.0\n" }, "pytest");
  await using sandbox = await start();
  const code = "import left_pad, pytest\nleft_pad.pad('x')";
  const result = await sandbox.execute({ language: "python", code, timeoutMs: 30_000 }, never);
  expect(result).toMatchObject({ status: "ok", value: "'<x'" });
});

test("a package without a wheel is built, and that is said", async () => {
  const installed = await scene.install(
    {
      "requirements.txt": "built\n",
      "test_it.py": "import built\n\n\ndef test_it():\n    assert built.answer == 42\n",
    },
    "pytest",
  );
  expect(installed.record).toMatchObject({ ok: true, notes: ["some packages had to be built"] });
  expect(await statuses(installed)).toEqual(["passed"]);
});

const project = '[project]\nname = "shop"\nversion = "1.0"\ndependencies = ["left-pad<2"]\n';

test("a project in pyproject.toml has its requirements, also when its own build cannot be had", async () => {
  const files = { "pyproject.toml": project, "src/shop/__init__.py": "from left_pad import pad\n" };
  const source = "from shop import pad\n\n\ndef test_pad():\n    assert pad('a') == '<a'\n";
  const installed = await scene.install({ ...files, "tests/test_shop.py": source }, "pytest");
  expect(installed.record?.notes).toEqual([expect.stringContaining("could not be built")]);
  expect(await statuses(installed)).toEqual(["passed"]);
});

test("a project whose developers' packages cannot be had is run without them, and that is said", async () => {
  const toml =
    '[project]\nname = "app"\nversion = "1"\ndependencies = ["left-pad==1.0"]\n[dependency-groups]\ndev = ["a-linter"]\n';
  const installed = await scene.install({ "pyproject.toml": toml, "test_pad.py": usesPad }, "pytest");
  const notes = ["what only its tests and its developers need could not be installed"];
  expect(installed.record).toMatchObject({ ok: true, notes });
  expect(await statuses(installed)).toEqual(["passed"]);
});

test("a project is linked, so that its tests see every edit", async () => {
  const backend =
    "import os, zipfile\n\n\ndef build_editable(folder, config_settings=None, metadata_directory=None):\n    name = 'shop-1.0-py3-none-any.whl'\n    with zipfile.ZipFile(os.path.join(folder, name), 'w') as archive:\n        archive.writestr('shop.pth', os.path.join(os.getcwd(), 'lib'))\n        archive.writestr('shop-1.0.dist-info/METADATA', 'Metadata-Version: 2.1\\nName: shop\\nVersion: 1.0\\nRequires-Dist: left-pad<2\\n')\n        archive.writestr('shop-1.0.dist-info/WHEEL', 'Wheel-Version: 1.0\\nGenerator: x\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')\n        archive.writestr('shop-1.0.dist-info/RECORD', '')\n    return name\n";
  const files = {
    "pyproject.toml": `[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n${project}`,
    "backend.py": backend,
    "lib/shop/__init__.py": "from left_pad import pad\n",
    "tests/test_shop.py":
      "from importlib.metadata import version\nfrom shop import pad\n\n\ndef test_pad():\n    assert (pad('a'), version('shop')) == ('<a', '1.0')\n",
  };
  const installed = await scene.install(files, "pytest");
  expect(installed.record).toMatchObject({ ok: true, notes: [] });
  expect(await statuses(installed)).toEqual(["passed"]);
});

test("a package that is not there is said in one line", async () => {
  const { installed } = await scene.install({ "requirements.txt": "no-such-package==1\n" }, "pytest");
  expect(installed).toEqual({
    kind: "failed",
    reason: expect.stringContaining("Could not find a version that satisfies the requirement no-such-package==1"),
  });
});

test("commands of the configuration install in place of what the project looks like", async () => {
  const setup = ["pip install left-pad==1.0", "mkdir -p data && echo made > data/seed.txt"];
  const source =
    "from left_pad import pad\n\n\ndef test_seed():\n    assert pad(open('data/seed.txt').read()) == '<made\\n'\n";
  const installed = await scene.install({ "requirements.txt": "no-such-package\n", "test_seed.py": source }, "pytest", {
    setup,
  });
  expect(installed.record).toMatchObject({ manager: "setup", ok: true });
  expect(await statuses(installed)).toEqual(["passed"]);
  const failed = await scene.install({ "a.py": "" }, "pytest", { setup: ["pip install left-pad==9"] });
  expect(failed.installed).toMatchObject({
    reason: expect.stringContaining("pip install left-pad==9: Could not find"),
  });
});

test("a layer that no sandbox could hold is not kept", async () => {
  await using small = await installScene({ limits: { workspaceBytes: 64 * 2 ** 20 } });
  const setup = ["head -c 100000000 /dev/urandom > packages.bin"];
  const { installed } = await small.install({ "test_a.py": "" }, "pytest", { setup });
  expect(installed).toMatchObject({ kind: "failed", reason: expect.stringContaining("more than the workspace") });
  expect(await small.layers()).toEqual([]);
});
