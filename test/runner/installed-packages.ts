import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, readlink, rename, rm, stat, writeFile } from "node:fs/promises";
import { delimiter, dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import type { WorkspaceFile } from "../../src/sandbox/sandbox.ts";

const root = join(import.meta.dirname, "../..");
/** Nothing that a program needs when it runs. */
const needless = /\.(?:map|md|d\.[cm]?ts)$|(?:^|\/)(?:LICENSE|license)[^/]*$/;

/** Packages in some version, as npm installs them, for a sandbox's workspace. Installed once, and then kept. */
export async function installedPackages(packages: Readonly<Record<string, string>>): Promise<WorkspaceFile[]> {
  const cache = join(root, "node_modules/.cache/autolith-runners");
  const folder = join(cache, Object.entries(packages).flat().join("-").replaceAll("/", "+"));
  if (!existsSync(folder)) {
    await mkdir(cache, { recursive: true });
    const made = await mkdtemp(join(cache, "new-"));
    await writeFile(join(made, "package.json"), JSON.stringify({ private: true, dependencies: packages }));
    // npm must run on the Node that the packages will run on: it leaves out optional ones that do not fit.
    const env = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env["PATH"]}` };
    await promisify(execFile)("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: made, env });
    await rename(made, folder).catch(() => rm(made, { recursive: true }));
  }
  return filesBelow(join(folder, "node_modules"));
}

/** A package of this repository's own, with all that it needs. */
export async function ownPackage(name: string): Promise<WorkspaceFile[]> {
  const modules = join(root, "node_modules");
  const names = new Set([name]);
  for (const each of names) {
    const path = join(modules, each, "package.json");
    if (!existsSync(path)) continue;
    const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(await readFile(path, "utf8"));
    for (const other of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      if (existsSync(join(modules, other))) names.add(other);
    }
  }
  const files = await Promise.all([...names].map((each) => filesBelow(join(modules, each), `node_modules/${each}`)));
  const manifest = JSON.parse(await readFile(join(modules, name, "package.json"), "utf8"));
  const program = Object.values<string>(manifest.bin)[0] ?? "";
  return [...files.flat(), linkTo(`../${name}/${program.replace("./", "")}`, `node_modules/.bin/${name}`)];
}

async function filesBelow(folder: string, prefix = "node_modules"): Promise<WorkspaceFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory() && !needless.test(entry.name));
  return Promise.all(
    files.map(async (entry): Promise<WorkspaceFile> => {
      const from = join(entry.parentPath, entry.name);
      const path = join(prefix, relative(folder, from));
      if (entry.isSymbolicLink()) return linkTo(await readlink(from), path);
      const { mode } = await stat(from);
      return { path, kind: "file", executable: (mode & 0o111) !== 0, bytes: await readFile(from) };
    }),
  );
}

function linkTo(target: string, path: string): WorkspaceFile {
  return { path, kind: "symlink", executable: false, bytes: Buffer.from(target) };
}
