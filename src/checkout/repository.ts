import { lstat, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { readRegularFile } from "./folder-file.ts";

/** A user's repository, found without running git, so that none of its settings takes effect. All paths are absolute. */
export interface Repository {
  /** The top of the work tree. */
  readonly root: string;
  /** Holds the index; differs from `commonDir` in a linked work tree. */
  readonly gitDir: string;
  /** Holds `config` and `info/exclude`. */
  readonly commonDir: string;
}

const pointerBytes = 8 * 1024;

/** The repository whose work tree holds `folder`, or null. `folder` is a real path. */
export async function findRepository(folder: string): Promise<Repository | null> {
  for (let root = folder; ; root = dirname(root)) {
    const gitDir = await gitDirOf(root);
    if (gitDir !== null) return { root, gitDir, commonDir: commonDirOf(gitDir) };
    if (dirname(root) === root) return null;
  }
}

/** Whether a folder is what git keeps its data in, rather than a work tree. */
export async function isGitDirectory(folder: string): Promise<boolean> {
  if (!(await exists(join(folder, "HEAD")))) return false;
  if (await exists(join(folder, "commondir"))) return true;
  return (await exists(join(folder, "objects"))) && (await exists(join(folder, "refs")));
}

/** The git directory that `.git` in this folder is or points to: work trees and submodules have a file there. */
async function gitDirOf(root: string): Promise<string | null> {
  const dotGit = join(root, ".git");
  const isFolder = await stat(dotGit).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isFolder) return (await isGitDirectory(dotGit)) ? dotGit : null;
  const pointer = /^gitdir: ([^\0\n]+)\r?\n*$/.exec(readRegularFile(dotGit, pointerBytes)?.toString("utf8") ?? "")?.[1];
  if (pointer === undefined) return null;
  const target = resolve(root, pointer);
  return (await isGitDirectory(target)) ? target : null;
}

function commonDirOf(gitDir: string): string {
  const pointer = readRegularFile(join(gitDir, "commondir"), pointerBytes)?.toString("utf8").trim();
  return pointer === undefined || pointer === "" || pointer.includes("\0") ? gitDir : resolve(gitDir, pointer);
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
