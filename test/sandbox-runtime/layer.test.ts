import { readFileSync } from "node:fs";
import { chmod, lstat, mkdir, readdir, readFile, rename, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SupervisorProcess } from "./supervisor-process.ts";

const limits = {};
const checkout = { "package.json": "{}", "packages/a/index.js": "a" };

let maker: SupervisorProcess;

/** Stands for an install: some packages, a symlink, an executable file, a virtual environment, and waste. */
const install = `
mkdir -p node_modules/lib/bin node_modules/.bin packages/a/node_modules/dep .autolith/venv/bin .autolith/tools/bin .autolith/cache/x empty/folder
echo one > node_modules/lib/index.js; echo two > packages/a/node_modules/dep/index.js; echo '#!/bin/sh' > node_modules/lib/bin/run; chmod 755 node_modules/lib/bin/run
ln -s ../lib/bin/run node_modules/.bin/run; mkfifo node_modules/lib/pipe; echo waste > .autolith/cache/x/y; echo changed > package.json
echo 'echo from the layer' > .autolith/venv/bin/hello; chmod 755 .autolith/venv/bin/hello; touch .autolith/tools/bin/tool; chmod 000 node_modules/lib/index.js; chmod 500 node_modules/lib
`;

beforeAll(async () => {
  maker = await SupervisorProcess.startSilent();
  await maker.done({ verb: "hello", protocol: 1, limits, layer: "make" });
  await maker.put(checkout, true);
  await maker.run(["sh", "-ec", install]);
  await maker.done({ verb: "seal", key: "k-1" });
});

afterAll(() => maker[Symbol.asyncDispose]());

async function reader(): Promise<SupervisorProcess> {
  const supervisor = await SupervisorProcess.startSilent(maker.workspace);
  await supervisor.done({ verb: "hello", protocol: 1, limits, layer: "read" });
  return supervisor;
}

test("a sealed layer holds what was made, and nothing of the checkout nor of the way there", async () => {
  const kept = join(maker.workspace, ".autolith");
  expect(await readdir(maker.workspace)).toEqual([".autolith"]);
  expect((await readdir(kept)).toSorted()).toEqual(["manifest.json", "tools", "tree", "venv"]);
  const paths = (await readdir(join(kept, "tree"), { recursive: true })).toSorted();
  expect(paths).toEqual([
    ...["node_modules", "node_modules/.bin", "node_modules/.bin/run", "node_modules/lib", "node_modules/lib/bin"],
    ...["node_modules/lib/bin/run", "node_modules/lib/index.js", "packages", "packages/a", "packages/a/node_modules"],
    ...["packages/a/node_modules/dep", "packages/a/node_modules/dep/index.js"],
  ]);
  expect(JSON.parse(readFileSync(join(kept, "manifest.json"), "utf8"))).toMatchObject({ key: "k-1" });
});

test("a workspace gets a copy of its own, beside the checkout, which wins", async () => {
  await using supervisor = await reader();
  const answer = await supervisor.put({ ...checkout, "node_modules/lib/index.js": "of the checkout" }, true);
  expect(answer.header["event"]).toBe("done");
  const at = (path: string) => join(supervisor.workspace, path);
  expect(await readFile(at("node_modules/lib/index.js"), "utf8")).toBe("of the checkout");
  expect(await readFile(at("packages/a/node_modules/dep/index.js"), "utf8")).toBe("two\n");
  expect(await readFile(at("package.json"), "utf8")).toBe("{}");
  expect((await lstat(at("node_modules/.bin/run"))).isSymbolicLink()).toBe(true);
  expect((await lstat(at("node_modules/lib/bin/run"))).mode & 0o777).toBe(0o755);
  const run = await supervisor.run(["sh", "-c", "git status --short; git ls-files; hello; node_modules/.bin/run"]);
  expect(run.stdout.text).toBe("node_modules/lib/index.js\npackage.json\npackages/a/index.js\nfrom the layer\n");
});

test("what was installed is in front of a path of the run's own, too", async () => {
  await using supervisor = await reader();
  const run = await supervisor.run(["sh", "-c", "hello"], { env: { PATH: "/usr/bin:/bin" } });
  expect(run.stdout.text).toBe("from the layer\n");
});

test("whatever a run does to the copy, the next one finds it as it was", async () => {
  await using supervisor = await reader();
  await supervisor.put(checkout, true);
  const at = (path: string) => join(supervisor.workspace, path);
  const index = at("node_modules/lib/index.js");
  const before = await lstat(index);
  // The same size and the same times, as far as a program can set them.
  await writeFile(index, "ONE\n");
  await utimes(index, before.atime, before.mtime);
  await chmod(at("node_modules/lib/bin/run"), 0o644);
  await rename(at("packages/a/node_modules/dep"), at("packages/a/node_modules/other"));
  await symlink("/etc", at("packages/a/node_modules/dep"));
  await mkdir(at("node_modules/.vite/deps"), { recursive: true });
  await writeFile(at("node_modules/.vite/deps/cache.js"), "cache");
  await writeFile(at("left-over"), "x");
  await chmod(at("node_modules/.bin"), 0);
  await supervisor.put(checkout, true);
  expect(await readFile(index, "utf8")).toBe("one\n");
  expect((await lstat(at("node_modules/lib/bin/run"))).mode & 0o777).toBe(0o755);
  expect((await readdir(at("packages/a/node_modules"))).toSorted()).toEqual(["dep"]);
  expect(await readFile(at("packages/a/node_modules/dep/index.js"), "utf8")).toBe("two\n");
  expect((await readdir(at("node_modules"))).toSorted()).toEqual([".bin", "lib"]);
  expect((await readdir(supervisor.workspace)).toSorted()).toEqual([
    ".git",
    "node_modules",
    "package.json",
    "packages",
  ]);
});

test("what nobody changed is not copied again", async () => {
  await using supervisor = await reader();
  await supervisor.put(checkout, true);
  const index = join(supervisor.workspace, "node_modules/lib/index.js");
  const before = await lstat(index, { bigint: true });
  await supervisor.put(checkout, true);
  const after = await lstat(index, { bigint: true });
  expect([after.ino, after.ctimeNs]).toEqual([before.ino, before.ctimeNs]);
});

test("a layer that is not there is told apart from one that is", async () => {
  await using supervisor = await SupervisorProcess.startSilent();
  expect(await supervisor.done({ verb: "hello", protocol: 1, limits, layer: "read" })).toMatchObject({ layer: null });
  await using other = await SupervisorProcess.startSilent(maker.workspace);
  expect(await other.done({ verb: "hello", protocol: 1, limits, layer: "read" })).toMatchObject({
    layer: { key: "k-1", files: expect.any(Number) },
  });
});

test("an install that replaces the layer's own folder makes no layer", async () => {
  await using supervisor = await SupervisorProcess.startSilent();
  await supervisor.done({ verb: "hello", protocol: 1, limits, layer: "make" });
  await supervisor.put(checkout, true);
  await supervisor.run(["sh", "-c", "rm -rf .autolith; ln -s /tmp .autolith"]);
  const answer = await supervisor.done({ verb: "seal", key: "k-2" });
  expect(answer["problem"]).toMatch(/folder of the layer/);
});
