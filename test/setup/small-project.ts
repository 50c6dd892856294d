import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

/** What a project depends on: names and versions of packages that are made up on the spot. */
export interface SmallProject {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** Writes package.json, package-lock.json and the packages themselves into a folder, so that npm can install them offline. */
export async function writeProject(
  root: string,
  { dependencies = {}, devDependencies = {} }: SmallProject,
): Promise<void> {
  const packages: Record<string, object> = { "": { name: "small", dependencies, devDependencies } };
  const specs: Record<string, Record<string, string>> = { dependencies: {}, devDependencies: {} };
  for (const [kind, list] of Object.entries({ dependencies, devDependencies })) {
    for (const [name, version] of Object.entries(list)) {
      const { file, integrity } = await packOne(root, name, version);
      const dev = kind === "devDependencies" ? { dev: true } : {};
      packages[`node_modules/${name}`] = { version, resolved: `file:${file}`, integrity, ...dev };
      Object.assign(specs[kind] ?? {}, { [name]: `file:${file}` });
    }
  }
  packages[""] = { name: "small", version: "1.0.0", ...specs };
  const lockfile = { name: "small", version: "1.0.0", lockfileVersion: 3, requires: true, packages };
  await writeFile(
    join(root, "package.json"),
    JSON.stringify({ name: "small", version: "1.0.0", type: "module", ...specs }),
  );
  await writeFile(join(root, "package-lock.json"), JSON.stringify(lockfile));
}

async function packOne(root: string, name: string, version: string): Promise<{ file: string; integrity: string }> {
  const folder = join(root, "packages");
  await mkdir(join(folder, "package"), { recursive: true });
  await writeFile(join(folder, "package/package.json"), JSON.stringify({ name, version }));
  const file = `packages/${name}-${version}.tgz`;
  await promisify(execFile)("tar", ["-czf", join(root, file), "-C", folder, "package"]);
  await rm(join(folder, "package"), { recursive: true });
  const digest = createHash("sha512")
    .update(await readFile(join(root, file)))
    .digest("base64");
  return { file, integrity: `sha512-${digest}` };
}
