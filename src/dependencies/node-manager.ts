import { posix } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { type FileReader, readText } from "../runner/file-reader.ts";
import type { NodeManifest } from "./node-manifest.ts";

/** The program that installs, and the package that it comes in; npm is in the image. */
export type NodeManager =
  | { readonly kind: "npm"; readonly lockfile: string | null }
  | {
      readonly kind: "pnpm" | "yarn-classic" | "yarn-berry";
      readonly lockfile: string | null;
      readonly package: string;
    };

/** Lockfiles by the manager that writes them; of several, the first. */
const lockfiles = [
  ["npm-shrinkwrap.json", "npm"],
  ["package-lock.json", "npm"],
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
] as const;

/** `name@version`, with a hash of the program behind it if need be: https://nodejs.org/api/packages.html#packagemanager */
const named = /^(npm|pnpm|yarn)@(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]{1,40})?)(?:\+[\w.-]+)?$/;

const pnpmLock = z.object({ lockfileVersion: z.coerce.number() });
const yarnRelease = /^yarnPath:\s*['"]?[^\n]*yarn-(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]{1,40})?)\.c?js['"]?\s*$/m;
const yarnMetadata = /^__metadata:\n\s+version: (\d+)/m;

/** The lockfile of a folder; null when it has none. */
export function lockfileIn(paths: ReadonlySet<string>, folder: string): string | null {
  const found = lockfiles.map(([name]) => posix.join(folder, name)).find((path) => paths.has(path));
  return found ?? null;
}

/** The manager of a project: the one that its manifest names, else the one that wrote its lockfile, else npm. */
export async function nodeManager(files: FileReader, folder: string, manifest: NodeManifest): Promise<NodeManager> {
  const paths = new Set(files.paths);
  const present = lockfiles.filter(([name]) => paths.has(posix.join(folder, name)));
  const [, wanted, version] = named.exec(manifest.packageManager ?? "") ?? [];
  const own = present.find(([, manager]) => manager === wanted) ?? (wanted === undefined ? present[0] : undefined);
  const kind = wanted ?? own?.[1] ?? "npm";
  const lockfile = own === undefined ? null : posix.join(folder, own[0]);
  const text = lockfile === null ? "" : ((await readText(files, lockfile)) ?? "");
  if (kind === "pnpm") return { kind, lockfile, package: `pnpm@${version ?? pnpmFor(text)}` };
  if (kind !== "yarn") return { kind: "npm", lockfile };
  return { lockfile, ...yarnOf(text, version, (await readText(files, posix.join(folder, ".yarnrc.yml"))) ?? "") };
}

/** The newest major version that writes lockfiles of this version: https://github.com/pnpm/spec/tree/master/lockfile */
function pnpmFor(text: string): number {
  const parsed = pnpmLock.safeParse(read(text));
  if (!parsed.success) return 10;
  const { lockfileVersion } = parsed.data;
  if (lockfileVersion >= 9) return 10;
  return lockfileVersion >= 6 ? 8 : 7;
}

function read(text: string): unknown {
  try {
    return parse(text.split("\n").slice(0, 5).join("\n"));
  } catch {
    return null;
  }
}

/** Lockfiles of Yarn 4 have version 8; those of 2 and 3 have 4 to 6. The package `yarn` ends with version 1. */
function yarnOf(lock: string, version: string | undefined, settings: string) {
  const metadata = yarnMetadata.exec(lock)?.[1];
  const known = version ?? yarnRelease.exec(settings)?.[1];
  const isClassic = known === undefined ? metadata === undefined && settings === "" : known.startsWith("1.");
  if (isClassic) return { kind: "yarn-classic" as const, package: `yarn@${known ?? "1"}` };
  const major = metadata === undefined || Number(metadata) >= 8 ? "4" : "3";
  return { kind: "yarn-berry" as const, package: `@yarnpkg/cli-dist@${known ?? major}` };
}
