import { execFile } from "node:child_process";
import { cp, mkdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { runNode } from "./run-node.ts";
import { type SmallProject, writeProject } from "./small-project.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const INSTALLING = "setup: installing the packages of package-lock.json\n";
const pretendOlder = ["--import", new URL("../bin/older-node.mjs", import.meta.url).href];
const NOTHING_TO_DO = { status: 0, signal: null, stdout: "", stderr: "" };
const checkout = fileURLToPath(new URL("../../", import.meta.url));

async function smallProject(packages: SmallProject): Promise<string> {
  const root = await temporaryFolder();
  await mkdir(join(root, "sandbox/setup"), { recursive: true });
  for (const file of ["sandbox/setup/dependencies.mjs", "sandbox/setup/lock.mjs"])
    await cp(join(checkout, file), join(root, file));
  await writeProject(root, packages);
  return root;
}

/** With a cache of its own: what another test has installed would otherwise make up for a package that is missing. */
const setUp = (root: string, env = {}) =>
  runNode([join(root, "sandbox/setup/dependencies.mjs")], { env: { npm_config_cache: join(root, "cache"), ...env } });
const versionOf = async (root: string, name: string) =>
  JSON.parse(await readFile(join(root, "node_modules", name, "package.json"), "utf8")).version;

test("installs what is locked with one line on standard error, and the second time there is nothing to do", async () => {
  const root = await smallProject({ dependencies: { left: "1.0.0" }, devDependencies: { right: "2.0.0" } });
  expect(await setUp(root)).toEqual({ ...NOTHING_TO_DO, stderr: INSTALLING });
  expect([await versionOf(root, "left"), await versionOf(root, "right")]).toEqual(["1.0.0", "2.0.0"]);
  expect(await setUp(root)).toEqual(NOTHING_TO_DO);
});

test("installs again when the lockfile names other packages than those in the tree", async () => {
  const root = await smallProject({ dependencies: { left: "1.0.0" } });
  await setUp(root);
  await writeProject(root, { dependencies: { left: "1.1.0" } });
  expect((await setUp(root)).stderr).toBe(INSTALLING);
  expect(await versionOf(root, "left")).toBe("1.1.0");
});

test("goes by what is installed, not by who installed it, and does not mind a new time stamp", async () => {
  const root = await smallProject({ dependencies: { left: "1.0.0" } });
  await setUp(root);
  const lockfile = join(root, "package-lock.json");
  await writeFile(lockfile, `${JSON.stringify(JSON.parse(await readFile(lockfile, "utf8")), null, 4)}\n`);
  expect(await setUp(root)).toEqual(NOTHING_TO_DO);
});

test("installs once when several start at the same time", async () => {
  const root = await smallProject({ dependencies: { left: "1.0.0" } });
  const ends = await Promise.all([setUp(root), setUp(root), setUp(root)]);
  expect(ends.map(({ status }) => status)).toEqual([0, 0, 0]);
  expect(ends.map(({ stderr }) => stderr).sort()).toEqual(["", "", INSTALLING]);
  expect(await versionOf(root, "left")).toBe("1.0.0");
});

test("passes on what npm says when it cannot install, and does not take the tree for complete afterwards", async () => {
  const root = await smallProject({ dependencies: { left: "1.0.0" } });
  await rm(join(root, "packages"), { recursive: true });
  const failed = await setUp(root);
  expect(failed).toMatchObject({ status: 3, stdout: "" });
  expect(failed.stderr).toMatch(/setup: npm ci failed:.*left-1\.0\.0\.tgz/s);
  await writeProject(root, { dependencies: { left: "1.0.0" } });
  expect(await setUp(root)).toMatchObject({ status: 0, stderr: INSTALLING });
});

test("says that npm is missing where there is none", async () => {
  const root = await smallProject({ dependencies: { left: "1.0.0" } });
  const end = await setUp(root, { PATH: root });
  expect(end).toEqual({
    ...NOTHING_TO_DO,
    status: 3,
    stderr: `${INSTALLING}setup: npm is missing: install it beside Node\n`,
  });
});

test("has nothing to install where no lockfile came along", async () => {
  const root = await smallProject({});
  await rm(join(root, "package-lock.json"));
  expect(await setUp(root)).toEqual(NOTHING_TO_DO);
  await expect(stat(join(root, "node_modules"))).rejects.toThrow("ENOENT");
});

test("tells an older Node without a newer one in the packages what to install", async () => {
  const root = await smallProject({});
  const end = await runNode([...pretendOlder, join(root, "sandbox/setup/dependencies.mjs")]);
  expect(end).toMatchObject({ status: 3, stdout: "" });
  expect(end.stderr).toMatch(
    /^setup: Node 24 or later is needed, this is 20\.20\.2, .*: install Node 24 and try again\n$/,
  );
});

test("puts the Node that the packages bring where package scripts find it, as not every npm does", async () => {
  const root = await smallProject({});
  const brought = join(root, `node_modules/node-${process.platform}-${process.arch}/bin/node`);
  await mkdir(dirname(brought), { recursive: true });
  await mkdir(join(root, "node_modules/.bin"));
  await symlink(process.execPath, brought);
  for (const _time of ["first", "second"]) {
    expect(await runNode([...pretendOlder, join(root, "sandbox/setup/dependencies.mjs")])).toEqual(NOTHING_TO_DO);
  }
  const { stdout } = await promisify(execFile)(join(root, "node_modules/.bin/node"), ["--version"]);
  expect(stdout.trim()).toBe(process.version);
});
