import { posix } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { type FileReader, readText } from "./file-reader.ts";

/** A package of a JavaScript workspace. */
export interface WorkspacePackage {
  readonly name: string;
  /** Relative to the workspace of the sandbox; `""` for its root. */
  readonly folder: string;
  readonly scripts: Readonly<Record<string, string>>;
  /** Names of what it depends on, the other packages of the workspace among them. */
  readonly needs: readonly string[];
}

const names = z.record(z.string(), z.unknown()).catch({});
const manifest = z.object({
  name: z.string().catch(""),
  scripts: z.record(z.string(), z.string()).catch({}),
  dependencies: names,
  devDependencies: names,
  peerDependencies: names,
  optionalDependencies: names,
  workspaces: z.union([z.array(z.string()), z.object({ packages: z.array(z.string()) })]).optional(),
});
const packageList = z.object({ packages: z.array(z.string()) });

/** More than anybody runs the tests of in one command. */
const mostPackages = 200;

/**
 * The packages that a folder's workspace manifest (`pnpm-workspace.yaml`, `workspaces` of `package.json`, `lerna.json`)
 * names, without the folder's own, each behind those of them that it needs. Empty when there is no manifest that can be
 * read.
 */
export async function workspacePackages(folder: string, files: FileReader): Promise<WorkspacePackage[]> {
  const patterns = await patternsOf(folder, files);
  const folders = files.paths
    .filter((path) => posix.basename(path) === "package.json" && !/(?:^|\/)node_modules\//.test(path))
    .map((path) => posix.relative(folder, posix.dirname(path)))
    .filter((path) => path !== "" && !path.startsWith("..") && isNamed(path, patterns));
  if (folders.length > mostPackages) return [];
  const packages: WorkspacePackage[] = [];
  for (const each of folders.toSorted()) {
    const found = await readManifest(posix.join(folder, each), files);
    if (found === null) continue;
    const { name, scripts, dependencies, devDependencies, peerDependencies, optionalDependencies } = found;
    const needs = { ...dependencies, ...devDependencies, ...peerDependencies, ...optionalDependencies };
    packages.push({ name, folder: posix.join(folder, each), scripts, needs: Object.keys(needs) });
  }
  return inOrder(packages);
}

async function patternsOf(folder: string, files: FileReader): Promise<string[]> {
  const pnpm = await readText(files, posix.join(folder, "pnpm-workspace.yaml"));
  if (pnpm !== null) return packagesIn(() => parse(pnpm));
  const { workspaces } = (await readManifest(folder, files)) ?? {};
  if (workspaces !== undefined) return Array.isArray(workspaces) ? workspaces : workspaces.packages;
  const lerna = await readText(files, posix.join(folder, "lerna.json"));
  return lerna === null ? [] : packagesIn(() => JSON.parse(lerna));
}

function packagesIn(read: () => unknown): string[] {
  try {
    return packageList.parse(read()).packages;
  } catch {
    return [];
  }
}

async function readManifest(folder: string, files: FileReader): Promise<z.infer<typeof manifest> | null> {
  try {
    const text = await readText(files, posix.join(folder, "package.json"));
    return text === null ? null : manifest.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** The last pattern that fits decides; those with `!` in front take away. */
function isNamed(path: string, patterns: readonly string[]): boolean {
  const last = patterns.findLast((pattern) => posix.matchesGlob(path, plain(pattern.replace(/^!/, ""))));
  return last !== undefined && !last.startsWith("!");
}

function plain(pattern: string): string {
  return pattern.replace(/^\.\//, "").replace(/\/+$/, "");
}

/** What others need comes first; a circle is entered at its first package. */
function inOrder(packages: readonly WorkspacePackage[]): WorkspacePackage[] {
  const ordered = new Set<WorkspacePackage>();
  const entered = new Set<WorkspacePackage>();
  const visit = (each: WorkspacePackage) => {
    if (entered.has(each)) return;
    entered.add(each);
    for (const other of packages) if (each.needs.includes(other.name)) visit(other);
    ordered.add(each);
  };
  packages.forEach(visit);
  return [...ordered];
}
