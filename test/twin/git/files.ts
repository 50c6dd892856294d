import { lstat, readdir, readFile, readlink } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { BareRepository } from "./bare-repository.ts";
import { type Mode, type TreeChange, writeBlobs } from "./objects.ts";

/** A file for a commit: its content, its content with a mode, or null to delete it. */
type FileContent = string | Buffer | null | { readonly content: string | Buffer; readonly mode: Mode };

/** Paths, with slashes, to files. */
export type Files = Readonly<Record<string, FileContent>>;

/** Writes the files' blobs and gives the changes of a tree that they amount to. */
export async function fileChanges(git: BareRepository, files: Files): Promise<TreeChange[]> {
  const entries = Object.entries(files).map(([path, file]) => ({ path, ...unpack(file) }));
  const written = entries.filter(({ content }) => content !== null);
  const shas = await writeBlobs(
    git,
    written.map(({ content }) => content ?? Buffer.alloc(0)),
  );
  const shaOf = new Map(written.map(({ path }, index) => [path, shas[index] ?? ""]));
  return entries.map(({ path, mode }) => ({ path, mode, sha: shaOf.get(path) ?? null }));
}

function unpack(file: FileContent): { content: Buffer | null; mode: Mode } {
  if (file === null) return { content: null, mode: "100644" };
  if (typeof file === "string" || Buffer.isBuffer(file)) return { content: Buffer.from(file), mode: "100644" };
  return { content: Buffer.from(file.content), mode: file.mode };
}

/** Reads a folder on disk as files, with executable bits and symbolic links, leaving out `.git`. */
export async function readFolder(folder: string): Promise<Files> {
  const files: Record<string, FileContent> = {};
  for (const entry of await readdir(folder, { recursive: true })) {
    const path = join(folder, entry);
    const name = relative(folder, path).split(sep).join("/");
    if (name === ".git" || name.startsWith(".git/")) continue;
    const status = await lstat(path);
    if (status.isSymbolicLink()) files[name] = { content: await readlink(path), mode: "120000" };
    else if (status.isFile()) {
      files[name] = { content: await readFile(path), mode: (status.mode & 0o100) === 0 ? "100644" : "100755" };
    }
  }
  return files;
}
