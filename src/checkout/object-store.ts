import { hash, randomUUID } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AutolithError } from "../errors.ts";
import { BlobReader } from "./blob-reader.ts";
import { writeBlobs } from "./blob-writer.ts";
import { runGit } from "./git.ts";
import type { GitPlace } from "./git-environment.ts";
import { makeStoreFolder } from "./store-folder.ts";
import { allBinaryFile, type LineChange, lineChanges, treeDiff } from "./tree-diff.ts";

const noObject = "0".repeat(40);
/** Enough for the largest tree that a snapshot may hold, with long paths. */
const maxOutputBytes = 256 * 1024 * 1024;

/** Git's mode of a tree's entry: file, executable file, symlink. */
export type TreeMode = "100644" | "100755" | "120000";

/** One file or symlink of a tree; `blob` is the object that holds its bytes, or the link's target. */
export interface TreeEntry {
  readonly path: string;
  readonly mode: TreeMode;
  readonly blob: string;
  readonly size: number;
}

/** A change of one path: the entry that it becomes, or null when it goes away. */
export interface TreeChange {
  readonly path: string;
  readonly to: Pick<TreeEntry, "mode" | "blob"> | null;
}

/** Makes an empty store in a folder of its own below the system's folder for temporary files. */
export async function openObjectStore(signal: AbortSignal): Promise<ObjectStore> {
  const directory = await makeStoreFolder();
  const place: GitPlace = { gitDir: join(directory, "objects.git"), home: join(directory, "home") };
  try {
    await mkdir(place.home);
    await writeFile(allBinaryFile(directory), "* binary\n");
    await runGit(
      place,
      ["init", "--quiet", "--bare", "--template=", "--initial-branch=main", place.gitDir],
      {},
      signal,
    );
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    throw error;
  }
  return new ObjectStore(directory, place);
}

/**
 * A bare git directory of our own that holds trees as blobs: content goes in and out byte for byte, without a work tree, filters or
 * attributes. Methods reject with an infrastructure error when git or the disk fails. Disposal deletes everything.
 */
export class ObjectStore implements AsyncDisposable {
  /** A folder for short-lived files; goes with the store. */
  readonly directory: string;
  readonly place: GitPlace;
  readonly #reader: BlobReader;
  readonly #sha256 = new Map<string, string>();

  constructor(directory: string, place: GitPlace) {
    this.directory = directory;
    this.place = place;
    this.#reader = new BlobReader(place);
  }

  /** Stores each content as a blob and answers with their ids, in order. An error that the iterable throws passes through. */
  async writeBlobs(contents: Iterable<Uint8Array> | AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<string[]> {
    const written = await writeBlobs(this.place, this.directory, contents, signal);
    for (const { id, sha256 } of written) this.#sha256.set(id, sha256);
    return written.map(({ id }) => id);
  }

  /** The bytes of a blob. Many reads may be under way; they are answered in order. */
  readBlob(id: string): Promise<Buffer> {
    return this.#reader.read(id);
  }

  /** Hex SHA-256 of a blob's bytes; known without reading for blobs that were written through this store. */
  async sha256Of(id: string): Promise<string> {
    const known = this.#sha256.get(id);
    if (known !== undefined) return known;
    const sha256 = hash("sha256", await this.readBlob(id), "hex");
    this.#sha256.set(id, sha256);
    return sha256;
  }

  /** The id of the tree of exactly these entries. */
  writeTree(entries: Iterable<Omit<TreeEntry, "size">>, signal: AbortSignal): Promise<string> {
    const changes = Array.from(entries, ({ path, mode, blob }) => ({ path, to: { mode, blob } }));
    return this.changeTree(null, changes, signal);
  }

  /** The id of the tree that the changes make of `tree`, or of an empty tree. Deletions are done first. */
  async changeTree(tree: string | null, changes: readonly TreeChange[], signal: AbortSignal): Promise<string> {
    const index = join(this.directory, `index-${randomUUID()}`);
    const environment = { GIT_INDEX_FILE: index };
    try {
      if (tree !== null) await runGit(this.place, ["read-tree", tree], { environment }, signal);
      const input = [indexInfo(changes)];
      await runGit(this.place, ["update-index", "-z", "--index-info"], { environment, input }, signal);
      const { stdout } = await runGit(this.place, ["write-tree"], { environment }, signal);
      return stdout.toString("latin1").trim();
    } finally {
      await rm(index, { force: true });
    }
  }

  /** Every file and symlink of a tree, in git's order. Submodules are commits of other repositories, and no content of this one. */
  async readTree(tree: string, signal: AbortSignal): Promise<TreeEntry[]> {
    const { stdout } = await runGit(this.place, ["ls-tree", "-r", "-l", "-z", tree], { maxOutputBytes }, signal);
    const lines = stdout.toString("utf8").split("\0").slice(0, -1);
    return lines.filter((line) => !line.startsWith("160000 commit ")).map(parseTreeLine);
  }

  /** The difference of two trees as a unified diff in git's format; empty when they are the same. */
  diff(before: string, after: string, signal: AbortSignal): Promise<string> {
    return treeDiff(this.place, this.directory, before, after, signal);
  }

  /** Lines added and removed, by changed file. */
  numstat(before: string, after: string, signal: AbortSignal): Promise<LineChange[]> {
    return lineChanges(this.place, before, after, signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#reader[Symbol.asyncDispose]();
    await rm(this.directory, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  }
}

/** The input of `git update-index --index-info`, where mode 0 takes a path away. */
function indexInfo(changes: readonly TreeChange[]): string {
  const lines = [...changes]
    .sort((a, b) => Number(a.to !== null) - Number(b.to !== null))
    .map(({ path, to }) => (to === null ? `0 ${noObject}\t${path}\0` : `${to.mode} ${to.blob}\t${path}\0`));
  return lines.join("");
}

function parseTreeLine(line: string): TreeEntry {
  const match = /^(100644|100755|120000) blob ([0-9a-f]{40}) +(\d+)\t(.+)$/s.exec(line);
  const [, mode, blob, size, path] = match ?? [];
  if (blob === undefined || path === undefined) {
    throw new AutolithError("infrastructure", `a tree holds an entry of an unknown kind: ${JSON.stringify(line)}`);
  }
  return { path, mode: mode as TreeMode, blob, size: Number(size) };
}
