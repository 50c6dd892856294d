import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { AutolithError } from "../errors.ts";
import { type FolderFile, hasRealParents, readFolderFile } from "./folder-file.ts";
import type { FolderListing } from "./list-folder.ts";
import type { ObjectStore, TreeEntry, TreeMode } from "./object-store.ts";
import { isRefusedLink, isWorkspacePath, quotePath } from "./workspace-path.ts";

/** How large a folder may be. */
export interface SnapshotLimits {
  readonly totalBytes: number;
  readonly files: number;
  readonly fileBytes: number;
}

/** The limits of the sandbox's workspace, and a bound for a single file, which has to fit into memory. */
export const snapshotLimits: SnapshotLimits = {
  totalBytes: 2 * 1024 ** 3,
  files: 200_000,
  fileBytes: 100 * 1024 ** 2,
};

type NewEntry = Omit<TreeEntry, "size">;

/** Paths by the reason for which they were left out. */
type LeftOut = Map<string, string[]>;

/** Files between two looks at the event loop. */
const filesAtOnce = 500;

/** Stores the listed files of a folder; `notes` say what was left out. Rejects with a usage error over a limit. */
export async function readFolder(
  folder: string,
  listing: FolderListing,
  store: ObjectStore,
  limits: SnapshotLimits,
  signal: AbortSignal,
): Promise<{ readonly entries: NewEntry[]; readonly notes: string[] }> {
  const leftOut: LeftOut = new Map([
    ["submodules", [...listing.submodules]],
    ["nested git repositories", [...listing.nestedRepositories]],
    ["names that are not UTF-8", [...listing.unreadableNames]],
  ]);
  const found: { path: string; mode: TreeMode }[] = [];

  async function* contents(): AsyncGenerator<Uint8Array> {
    const folders = new Set<string>();
    let totalBytes = 0;
    for (const [index, path] of listing.paths.entries()) {
      if (index % filesAtOnce === 0) await setImmediate(undefined, { signal });
      const file = takeFile(folder, path, limits, folders, leftOut);
      if (file === null) continue;
      found.push({ path, mode: file.mode });
      totalBytes += file.bytes.length;
      if (found.length > limits.files) throw tooMuch(folder, `more than ${limits.files.toLocaleString("en")} files`);
      if (totalBytes > limits.totalBytes) throw tooMuch(folder, `more than ${sizeOf(limits.totalBytes)} of files`);
      yield file.bytes;
    }
  }

  const blobs = await store.writeBlobs(contents(), signal);
  const entries = found.map(({ path, mode }, index) => ({ path, mode, blob: blobs[index] ?? "" }));
  return { entries, notes: notesOf(leftOut) };
}

/** The file as it goes into the tree; null when it is deleted or has no place there. */
function takeFile(
  folder: string,
  path: string,
  limits: SnapshotLimits,
  folders: Set<string>,
  leftOut: LeftOut,
): { readonly mode: TreeMode; readonly bytes: Uint8Array } | null {
  if (!isWorkspacePath(path)) return leave(leftOut, "names that git refuses", path);
  if (!hasRealParents(folder, path, folders)) return null;
  const file: FolderFile = readFolderFile(join(folder, path), limits.fileBytes);
  switch (file.kind) {
    case "missing":
      return null;
    case "file":
      return { mode: file.executable ? "100755" : "100644", bytes: file.bytes };
    case "symlink":
      if (isRefusedLink(path)) return leave(leftOut, "names that git refuses", path);
      return { mode: "120000", bytes: file.bytes };
    case "too-large":
      throw tooMuch(folder, `${quotePath(path)}, which is larger than ${sizeOf(limits.fileBytes)}`);
    case "special":
      return file.what === "directory" ? null : leave(leftOut, "sockets, FIFOs and devices", path);
  }
}

function leave(leftOut: LeftOut, reason: string, path: string): null {
  const paths = leftOut.get(reason);
  if (paths === undefined) leftOut.set(reason, [path]);
  else paths.push(path);
  return null;
}

function tooMuch(folder: string, what: string): AutolithError {
  return new AutolithError("usage", `${folder} holds ${what}; exclude what the tests do not need with a .gitignore`);
}

function sizeOf(bytes: number): string {
  return bytes >= 1024 ** 3 ? `${bytes / 1024 ** 3} GiB` : `${bytes / 1024 ** 2} MiB`;
}

const listedPaths = 5;

function notesOf(leftOut: LeftOut): string[] {
  return [...leftOut].flatMap(([reason, paths]) => {
    if (paths.length === 0) return [];
    const listed = paths.slice(0, listedPaths).map(quotePath);
    const more = paths.length > listedPaths ? ` and ${paths.length - listedPaths} more` : "";
    return [`left out, ${reason}: ${listed.join(", ")}${more}`];
  });
}
