import type { BareRepository } from "./bare-repository.ts";

/** One file of a difference, as the API lists it. */
export interface FileDifference {
  readonly path: string;
  readonly previousPath: string | null;
  readonly status: "added" | "removed" | "modified" | "renamed" | "changed";
  readonly additions: number;
  readonly deletions: number;
  /** The blob after the change, or the one before it when the file was removed. */
  readonly sha: string;
  /** The hunks, from the first `@@`; undefined for binary files, and for changes of mode alone. */
  readonly patch: string | undefined;
}

const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/** The files that differ between two commits or trees; `null` stands for the empty tree. */
export async function differences(git: BareRepository, from: string | null, to: string): Promise<FileDifference[]> {
  const range = [from ?? EMPTY_TREE, to];
  const flags = ["-r", "-M", "--full-index", "--no-ext-diff", "--no-textconv", "--no-color"];
  const raw = await git.text(["diff-tree", ...flags, "--raw", "--numstat", "-z", ...range]);
  const patches = await git.text(["diff-tree", ...flags, "-p", ...range]);
  const hunks = patches.split(/^diff --git .*\n/m).slice(1);
  const { changes, counts } = parseRaw(raw);
  return changes.map((change, index) => ({
    ...change,
    ...(counts.get(change.path) ?? { additions: 0, deletions: 0 }),
    patch: patchOf(hunks[index] ?? ""),
  }));
}

/** How much differs between two commits. */
export async function differenceSize(
  git: BareRepository,
  from: string | null,
  to: string,
): Promise<{ additions: number; deletions: number; changedFiles: number }> {
  const text = await git.text(["diff-tree", "-r", "-M", "--shortstat", from ?? EMPTY_TREE, to]);
  const count = (word: string): number => Number(new RegExp(`(\\d+) ${word}`).exec(text)?.[1] ?? 0);
  return { additions: count("insertion"), deletions: count("deletion"), changedFiles: count("file") };
}

/** The commit where two histories parted. */
export function mergeBase(git: BareRepository, left: string, right: string): Promise<string | undefined> {
  return git.tryText(["merge-base", left, right]);
}

/** Merges two commits without a work tree: the tree, or undefined on conflicts. */
export async function mergedTree(git: BareRepository, ours: string, theirs: string): Promise<string | undefined> {
  return git.tryText(["merge-tree", "--write-tree", "--no-messages", ours, theirs]);
}

type Change = Omit<FileDifference, "additions" | "deletions" | "patch">;

/** Reads `--raw --numstat -z`: first all raw records, then all counts. */
function parseRaw(output: string): {
  changes: Change[];
  counts: Map<string, { additions: number; deletions: number }>;
} {
  const fields = output.split("\0");
  const changes: Change[] = [];
  const counts = new Map<string, { additions: number; deletions: number }>();
  while (fields.length > 0) {
    const field = fields.shift() ?? "";
    if (field.startsWith(":")) changes.push(rawChange(field, fields));
    else if (field !== "") addCount(field, fields, counts);
  }
  return { changes, counts };
}

function rawChange(header: string, fields: string[]): Change {
  const [oldMode, newMode, before = "", after = "", letter = ""] = header.slice(1).split(" ");
  const first = fields.shift() ?? "";
  if (letter.startsWith("R")) return { path: fields.shift() ?? "", previousPath: first, status: "renamed", sha: after };
  const removed = letter === "D";
  const modeOnly = before === after && oldMode !== newMode;
  const status = letter === "A" ? "added" : removed ? "removed" : modeOnly ? "changed" : "modified";
  return { path: first, previousPath: null, status, sha: removed ? before : after };
}

function addCount(
  header: string,
  fields: string[],
  counts: Map<string, { additions: number; deletions: number }>,
): void {
  const [added = "0", deleted = "0", name = ""] = header.split("\t");
  // A rename leaves the name empty and is followed by both names.
  const path = name === "" ? (fields.splice(0, 2)[1] ?? "") : name;
  // Binary files have "-" for both counts.
  counts.set(path, { additions: Number(added) || 0, deletions: Number(deleted) || 0 });
}

function patchOf(section: string): string | undefined {
  const start = section.search(/^@@ /m);
  return start === -1 ? undefined : section.slice(start).replace(/\n$/, "");
}
