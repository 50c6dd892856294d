import { realpath, stat } from "node:fs/promises";
import { relative } from "node:path";
import { AutolithError } from "../errors.ts";
import type { WorkspaceFile } from "../sandbox/sandbox.ts";
import { reasonOf } from "./folder-file.ts";
import { type FolderListing, listFolder } from "./list-folder.ts";
import type { ObjectStore, TreeEntry } from "./object-store.ts";
import { readFolder, type SnapshotLimits, snapshotLimits } from "./read-folder.ts";
import { findRepository, isGitDirectory, type Repository } from "./repository.ts";

/** A file or symlink of a checkout; `sha256` (hex) is of its bytes, or of the link's target. */
export interface CheckoutEntry extends TreeEntry {
  readonly sha256: string;
}

/** The tree that is being repaired, on the host: what it holds, byte for byte. Lives as long as its store. */
export interface Checkout {
  readonly store: ObjectStore;
  /** Git's id of the tree. */
  readonly tree: string;
  /** By path, in git's order. */
  readonly entries: ReadonlyMap<string, CheckoutEntry>;
  /** The entries' paths, in git's order. */
  readonly paths: readonly string[];
  /** What was left out, and why; one line each, for the user. */
  readonly notes: readonly string[];
  /** A file's bytes or a link's target; null when the checkout has no such path. */
  read(path: string): Promise<Uint8Array | null>;
  /** Everything, as a sandbox takes it. */
  files(): AsyncIterable<WorkspaceFile>;
}

/**
 * Takes a folder as it stands: files that git tracks or would track, dirty ones as they are on disk, without those that are deleted.
 * A folder without git and a folder inside a repository are taken alike. Bytes are read as they are: no filter, attribute or line-end
 * setting touches them, no link is followed, and nothing of the folder or its repository is run or written.
 * Rejects with a usage error when the folder cannot be read or is larger than the limits.
 */
export async function snapshotFolder(
  dir: string,
  store: ObjectStore,
  signal: AbortSignal,
  limits: SnapshotLimits = snapshotLimits,
): Promise<Checkout> {
  const folder = await realFolder(dir);
  const listing = await listAsGitSees(folder, store, signal);
  const read = await readFolder(folder, listing, store, limits, signal);
  const tree = await store.writeTree(read.entries, signal);
  return checkoutOfTree(store, tree, signal, read.notes);
}

/** The checkout of a tree that the store holds. */
export async function checkoutOfTree(
  store: ObjectStore,
  tree: string,
  signal: AbortSignal,
  notes: readonly string[] = [],
): Promise<Checkout> {
  const entries = new Map<string, CheckoutEntry>();
  for (const entry of await store.readTree(tree, signal)) {
    entries.set(entry.path, { ...entry, sha256: await store.sha256Of(entry.blob) });
    signal.throwIfAborted();
  }
  return {
    store,
    tree,
    entries,
    paths: [...entries.keys()],
    notes,
    async read(path) {
      const entry = entries.get(path);
      return entry === undefined ? null : store.readBlob(entry.blob);
    },
    files: () => readAhead(store, entries.values()),
  };
}

async function realFolder(dir: string): Promise<string> {
  const folder = await realpath(dir).catch((error: unknown) => {
    throw new AutolithError("usage", `cannot read ${dir}: ${reasonOf(error)}`, { cause: error });
  });
  if (!(await stat(folder)).isDirectory()) throw new AutolithError("usage", `${dir} is not a folder`);
  return folder;
}

/**
 * A folder that its repository ignores as a whole is listed as a folder of its own: whoever names it wants it, and half of the
 * demos and copies of the world lie in an ignored `tmp` of something else.
 */
async function listAsGitSees(folder: string, store: ObjectStore, signal: AbortSignal): Promise<FolderListing> {
  const repository = await findRepository(folder);
  if ((await isGitDirectory(folder)) || (repository !== null && isInsideDotGit(folder, repository))) {
    throw new AutolithError("usage", `${folder} is a git directory; name the folder with the files`);
  }
  const listing = await listFolder(folder, repository, store, signal);
  const isEmpty = listing.paths.length + listing.submodules.length + listing.nestedRepositories.length === 0;
  return isEmpty && repository !== null && repository.root !== folder
    ? listFolder(folder, null, store, signal)
    : listing;
}

function isInsideDotGit(folder: string, repository: Repository): boolean {
  return relative(repository.root, folder).split("/").includes(".git");
}

const readAheadFiles = 64;
const readAheadBytes = 8 * 1024 * 1024;

/** Asks for the next files before they are wanted; one at a time takes eight times as long. */
async function* readAhead(store: ObjectStore, entries: Iterable<TreeEntry>): AsyncGenerator<WorkspaceFile> {
  const asked: { readonly entry: TreeEntry; readonly bytes: Promise<Buffer> }[] = [];
  let askedBytes = 0;
  async function* take(downToFiles: number, downToBytes: number) {
    while (asked.length > downToFiles || askedBytes > downToBytes) {
      const next = asked.shift();
      if (next === undefined) return;
      askedBytes -= next.entry.size;
      yield workspaceFile(next.entry, await next.bytes);
    }
  }
  for (const entry of entries) {
    const bytes = store.readBlob(entry.blob);
    bytes.catch(() => undefined);
    asked.push({ entry, bytes });
    askedBytes += entry.size;
    yield* take(readAheadFiles, readAheadBytes);
  }
  yield* take(0, -1);
}

function workspaceFile(entry: TreeEntry, bytes: Uint8Array): WorkspaceFile {
  const kind = entry.mode === "120000" ? "symlink" : "file";
  return { path: entry.path, kind, executable: entry.mode === "100755", bytes };
}
