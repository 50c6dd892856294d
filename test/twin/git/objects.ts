import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BareRepository } from "./bare-repository.ts";
import { ZERO_SHA } from "./refs.ts";

/** The modes that a tree can hold. */
export type Mode = "100644" | "100755" | "120000" | "160000" | "040000";

/** One entry of a tree. */
export interface TreeEntry {
  readonly mode: Mode;
  readonly type: "blob" | "tree" | "commit";
  readonly sha: string;
  /** Bytes; null for everything that is no blob. */
  readonly size: number | null;
  readonly path: string;
}

/** A change to a tree: a blob (or submodule) put at a path, or, with a null SHA, the path taken away. */
export interface TreeChange {
  readonly path: string;
  readonly mode: Mode;
  readonly sha: string | null;
}

/** Writes blobs, byte for byte, and gives their SHAs in the same order. */
export async function writeBlobs(git: BareRepository, contents: readonly Buffer[]): Promise<string[]> {
  if (contents.length === 0) return [];
  const directory = await mkdtemp(join(tmpdir(), "twin-blobs-"));
  try {
    const paths = contents.map((_, index) => join(directory, String(index)));
    await Promise.all(paths.map((path, index) => writeFile(path, contents[index] ?? "")));
    const input = `${paths.join("\n")}\n`;
    return (await git.text(["hash-object", "-w", "--no-filters", "--stdin-paths"], { input })).split("\n");
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Writes the tree that `base` (a tree or commit; none for an empty one) becomes with the changes, and gives its SHA. */
export async function writeTree(
  git: BareRepository,
  base: string | null,
  changes: readonly TreeChange[],
): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "twin-index-"));
  const env = { GIT_INDEX_FILE: join(directory, "index") };
  try {
    if (base !== null) await git.run(["read-tree", base], { env });
    const folders = changes.filter((change) => change.mode === "040000" && change.sha !== null);
    for (const folder of folders) await git.run(["read-tree", `--prefix=${folder.path}/`, folder.sha ?? ""], { env });
    const lines = changes.filter((change) => !folders.includes(change)).map(indexLine);
    await git.run(["update-index", "-z", "--add", "--index-info"], { env, input: lines.join("") });
    return await git.text(["write-tree"], { env });
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** One line of `update-index --index-info`, where mode 0 takes a path away. */
function indexLine({ mode, sha, path }: TreeChange): string {
  return `${sha === null ? `0 ${ZERO_SHA}` : `${mode} ${sha}`}\t${path}\0`;
}

/** The entries of a tree or commit; every file below it with `recursive` (the trees themselves too, as GitHub does). */
export async function readTree(git: BareRepository, tree: string, recursive: boolean): Promise<TreeEntry[]> {
  const flags = recursive ? ["-r", "-t"] : [];
  const output = await git.text(["ls-tree", "-z", "-l", ...flags, "--end-of-options", tree]);
  return output
    .split("\0")
    .filter((line) => line !== "")
    .map((line) => {
      const tab = line.indexOf("\t");
      const [mode = "", type = "", sha = "", size = "-"] = line.slice(0, tab).split(/ +/);
      const path = line.slice(tab + 1);
      return {
        mode: mode as Mode,
        type: type as TreeEntry["type"],
        sha,
        size: size === "-" ? null : Number(size),
        path,
      };
    });
}

/** What lies at a path of a commit's tree; the root itself for an empty path. */
export async function readEntry(git: BareRepository, commit: string, path: string): Promise<TreeEntry | undefined> {
  if (path === "") {
    const sha = await git.text(["rev-parse", `${commit}^{tree}`]);
    return { mode: "040000", type: "tree", sha, size: null, path };
  }
  const output = await git.tryText(["ls-tree", "-z", "-l", "--full-tree", commit, "--", path]);
  const line = output?.split("\0")[0] ?? "";
  const [mode, type, sha, size] = line.slice(0, line.indexOf("\t")).split(/ +/);
  if (mode === undefined || type === undefined || sha === undefined) return undefined;
  const bytes = size === undefined || size === "-" ? null : Number(size);
  return { mode: mode as Mode, type: type as TreeEntry["type"], sha, size: bytes, path };
}

/** The bytes of a blob; undefined when there is no such blob. */
export async function readBlob(git: BareRepository, sha: string): Promise<Buffer | undefined> {
  if ((await objectType(git, sha)) !== "blob") return undefined;
  return git.run(["cat-file", "blob", sha]);
}

/** The type of an object; undefined when there is none of that SHA. */
export function objectType(git: BareRepository, sha: string): Promise<string | undefined> {
  return /^[0-9a-f]{40}$/.test(sha) ? git.tryText(["cat-file", "-t", sha]) : Promise.resolve(undefined);
}
