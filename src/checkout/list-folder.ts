import { randomUUID } from "node:crypto";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AutolithError, messageOf } from "../errors.ts";
import { readRegularFile } from "./folder-file.ts";
import { runGit } from "./git.ts";
import type { GitPlace } from "./git-environment.ts";
import type { ObjectStore } from "./object-store.ts";
import type { Repository } from "./repository.ts";

/** Paths relative to the folder; each may be missing on disk by now, and be of any kind. */
export interface FolderListing {
  readonly paths: readonly string[];
  readonly submodules: readonly string[];
  readonly nestedRepositories: readonly string[];
  /** Names that are not UTF-8, with the other bytes written as `\xNN`. */
  readonly unreadableNames: readonly string[];
}

const maxIndexBytes = 1024 * 1024 * 1024;
const maxOutputBytes = 256 * 1024 * 1024;
/** A FIFO where git reads `.gitignore` would make it wait for ever. */
const timeoutMs = 120_000;

/**
 * Lists what a folder holds as git sees it: tracked files, and untracked ones that no `.gitignore` or `info/exclude` names.
 * Git works on a directory of our own with a copy of the index, so that no setting, hook or monitor of the repository is read, and
 * nothing of it is written. `repository` is null for a folder without git. Rejects with a usage error when git cannot read it.
 */
export async function listFolder(
  folder: string,
  repository: Repository | null,
  store: ObjectStore,
  signal: AbortSignal,
): Promise<FolderListing> {
  const gitDir = join(store.directory, `listing-${randomUUID()}.git`);
  const place: GitPlace = { gitDir, home: store.place.home };
  try {
    const exclude = await copyRepository(place, repository, signal);
    const options = {
      cwd: folder,
      environment: { GIT_WORK_TREE: repository?.root ?? folder },
      settings: [`core.excludesFile=${exclude}`],
      maxOutputBytes,
      timeoutMs,
    };
    const tracked = await runGit(place, ["ls-files", "-z", "--stage"], options, signal);
    const untracked = await runGit(place, ["ls-files", "-z", "--others", "--exclude-standard"], options, signal);
    refuseUnreadable(untracked.stderr);
    return readListing(tracked.stdout, untracked.stdout);
  } catch (error) {
    if (!(error instanceof AutolithError) || signal.aborted) throw error;
    throw new AutolithError("usage", `cannot list the files of ${folder}: ${messageOf(error)}`, { cause: error });
  } finally {
    await rm(gitDir, { recursive: true, force: true });
  }
}

/** Makes the git directory that stands in for the repository's; answers with the file that holds its `info/exclude`. */
async function copyRepository(place: GitPlace, repository: Repository | null, signal: AbortSignal): Promise<string> {
  const init = ["init", "--quiet", "--bare", "--template=", "--initial-branch=main"];
  const format = repository === null ? "sha1" : await objectFormat(place, repository, signal);
  await runGit(place, [...init, `--object-format=${format}`, place.gitDir], {}, signal);
  const exclude = join(place.gitDir, "user-exclude");
  const patterns = repository && readRegularFile(join(repository.commonDir, "info", "exclude"), maxIndexBytes);
  await writeFile(exclude, patterns ?? "");
  if (repository !== null) {
    const names = (await readdir(repository.gitDir)).filter((name) => /^(index|sharedindex\.[0-9a-f]+)$/.test(name));
    for (const name of names) {
      const bytes = readRegularFile(join(repository.gitDir, name), maxIndexBytes);
      if (bytes !== null) await writeFile(join(place.gitDir, name), bytes);
    }
  }
  return exclude;
}

/** The hash that the index is written with. Read from a copy, so that nothing that the file includes is read. */
async function objectFormat(place: GitPlace, repository: Repository, signal: AbortSignal): Promise<"sha1" | "sha256"> {
  const config = readRegularFile(join(repository.commonDir, "config"), maxIndexBytes);
  if (config === null) return "sha1";
  await mkdir(place.gitDir);
  const copy = join(place.gitDir, "user-config");
  await writeFile(copy, config);
  const get = ["config", "--file", copy, "--no-includes", "--default", "sha1", "--get", "extensions.objectFormat"];
  const { stdout } = await runGit(place, get, {}, signal);
  return stdout.toString("latin1").trim() === "sha256" ? "sha256" : "sha1";
}

/** Git only warns about a folder that it may not read, and would leave its files out silently. */
function refuseUnreadable(warnings: string): void {
  const match = /could not open directory '(.*)': (.*)/.exec(warnings);
  if (match !== null)
    throw new AutolithError("usage", `cannot read the folder ${match[1]}: ${match[2]?.toLowerCase()}`);
}

function readListing(tracked: Buffer, untracked: Buffer): FolderListing {
  const paths = new Set<string>();
  const submodules = new Set<string>();
  const nestedRepositories = new Set<string>();
  const unreadableNames = new Set<string>();
  for (const record of records(tracked)) {
    const path = record.subarray(record.indexOf("\t") + 1);
    const mode = record.toString("latin1", 0, 6);
    const name = decodeName(path);
    if (name === null) unreadableNames.add(escapeName(path));
    else if (mode === "160000") submodules.add(name);
    else if (mode !== "040000") paths.add(name);
  }
  for (const path of records(untracked)) {
    const name = decodeName(path);
    if (name === null) unreadableNames.add(escapeName(path));
    else if (name.endsWith("/")) nestedRepositories.add(name.slice(0, -1));
    else paths.add(name);
  }
  return {
    paths: [...paths],
    submodules: [...submodules],
    nestedRepositories: [...nestedRepositories],
    unreadableNames: [...unreadableNames],
  };
}

function* records(output: Buffer): Generator<Buffer> {
  for (let start = 0; start < output.length; ) {
    const end = output.indexOf(0, start);
    yield output.subarray(start, end);
    start = end + 1;
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decodeName(bytes: Buffer): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

function escapeName(bytes: Buffer): string {
  const hex = (byte: number) => `\\x${byte.toString(16).padStart(2, "0")}`;
  return Array.from(bytes, (byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : hex(byte))).join("");
}
