import { hash } from "node:crypto";
import { lstat, mkdir, realpath, rename, rmdir, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AutolithError } from "../errors.ts";
import { type FolderFile, readFolderFile, reasonOf } from "./folder-file.ts";
import type { FileChange, Patch } from "./patch.ts";
import { snapshotLimits } from "./read-folder.ts";
import type { Checkout } from "./snapshot.ts";
import { stageFile } from "./stage-file.ts";
import { isWorkspacePath, quotePath } from "./workspace-path.ts";

type DiskFile = Extract<FolderFile, { kind: "file" }>;

/** A change that was checked; `before` is the file that it replaces or deletes, null for a new one. */
interface Step {
  readonly change: FileChange;
  readonly target: string;
  readonly before: DiskFile | null;
}

/** Takes one thing back that was done to the folder. */
type Undo = () => Promise<void>;

/**
 * Writes a patch into the folder that `checkout` was taken from. Rejects with a usage error, before anything is written, when a file
 * is not as the snapshot saw it, a new file's place is taken, or a link stands in the way. Each file is replaced in one
 * step and keeps its permissions and owner; when a later file fails, the earlier ones are put back. An abort counts until the first file is replaced.
 */
export async function writePatchToFolder(
  dir: string,
  checkout: Checkout,
  patch: Patch,
  signal: AbortSignal,
): Promise<void> {
  const folder = await realpath(dir);
  const steps: Step[] = [];
  const conflicts: string[] = [];
  for (const change of patch) {
    const checked = await check(folder, checkout, change);
    if (typeof checked === "string") conflicts.push(checked);
    else steps.push(checked);
  }
  if (conflicts.length > 0) throw new AutolithError("usage", `nothing was written to ${dir}: ${conflicts.join("; ")}`);
  signal.throwIfAborted();
  const undos: Undo[] = [];
  try {
    const staged: (() => Promise<void>)[] = [];
    for (const step of steps) staged.push(await stage(folder, step, undos));
    signal.throwIfAborted();
    for (const commit of staged) await commit();
  } catch (error) {
    for (const undo of undos.reverse()) await undo().catch(() => undefined);
    if (signal.aborted) throw error;
    throw new AutolithError("usage", `cannot write to ${dir}: ${reasonOf(error)}`, { cause: error });
  }
  for (const { change, target } of steps) if (change.kind === "delete") await removeEmptyParents(folder, target);
}

/** The step that a change takes, or why it may not be taken. */
async function check(folder: string, checkout: Checkout, change: FileChange): Promise<Step | string> {
  const { path } = change;
  if (!isWorkspacePath(path)) return `${quotePath(path)} is no path inside the folder`;
  const target = join(folder, path);
  const entry = checkout.entries.get(path);
  if (!(await hasOnlyFoldersAbove(folder, path))) return `a folder on the way to ${quotePath(path)} is none any more`;
  const found = readFolderFile(target, snapshotLimits.fileBytes);
  if (entry === undefined) {
    return change.kind === "write" && found.kind === "missing"
      ? { change, target, before: null }
      : `${quotePath(path)} is in the way`;
  }
  const same =
    found.kind === "file" &&
    hash("sha256", found.bytes, "hex") === entry.sha256 &&
    found.executable === (entry.mode === "100755");
  return same ? { change, target, before: found } : `${quotePath(path)} changed since it was read`;
}

/** Whether what exists of the way to a file are folders, and none of them a link to one. */
async function hasOnlyFoldersAbove(folder: string, path: string): Promise<boolean> {
  for (const parent of parentsOf(path)) {
    const found = await lstat(join(folder, parent)).catch(() => null);
    if (found === null) return true;
    if (!found.isDirectory()) return false;
  }
  return true;
}

/** Prepares a step and answers with what carries it out; both add to `undos` what takes them back. */
async function stage(folder: string, step: Step, undos: Undo[]): Promise<() => Promise<void>> {
  const { change, target, before } = step;
  const putBack = async () => {
    if (before === null) return unlink(target);
    await rename(await stageFile(target, before.bytes, before.executable, before.stats), target);
  };
  if (change.kind === "delete") {
    return async () => {
      await unlink(target);
      undos.push(putBack);
    };
  }
  await makeParents(folder, change.path, undos);
  const staged = await stageFile(target, change.bytes, change.executable, before?.stats ?? null);
  undos.push(() => unlink(staged));
  return async () => {
    await rename(staged, target);
    undos.push(putBack);
  };
}

async function makeParents(folder: string, path: string, undos: Undo[]): Promise<void> {
  for (const parent of parentsOf(path)) {
    const made = join(folder, parent);
    if ((await lstat(made).catch(() => null)) !== null) continue;
    await mkdir(made);
    undos.push(() => rmdir(made));
  }
}

/** As git does: a folder goes with its last file. */
async function removeEmptyParents(folder: string, target: string): Promise<void> {
  for (let parent = dirname(target); parent !== folder; parent = dirname(parent)) {
    const removed = await rmdir(parent).then(
      () => true,
      () => false,
    );
    if (!removed) return;
  }
}

/** The folders above a file, outermost first. */
function parentsOf(path: string): string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join("/"));
}
