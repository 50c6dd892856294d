import { runGit } from "./git.ts";
import type { GitPlace } from "./git-environment.ts";

/** One file that differs between two trees, as GitHub shows it: a renamed file is one change. */
export interface ChangedFile {
  readonly path: string;
  /** Where it lay before, when it was renamed. */
  readonly previousPath: string | null;
  readonly status: "added" | "removed" | "modified" | "renamed";
  /** What it is afterwards, or was before it was removed. */
  readonly kind: "file" | "symlink" | "submodule";
  readonly added: number;
  readonly removed: number;
  readonly binary: boolean;
  /** Hunks in unified form, from the first `@@`; empty for binary files and changes of mode. */
  readonly hunks: string;
}

/** One line of a hunk; `line` is its number on its own side, 1-based. */
export interface HunkLine {
  readonly kind: "added" | "removed" | "context";
  readonly line: number;
  readonly text: string;
}

const between = ["diff-tree", "-r", "-M", "--no-ext-diff", "--no-textconv", "--no-color"];

/** The files that differ between two trees, with renames found as GitHub finds them, in git's order. */
export async function changedFiles(
  place: GitPlace,
  before: string,
  after: string,
  signal: AbortSignal,
): Promise<ChangedFile[]> {
  const raw = await runGit(place, [...between, "--raw", "--no-abbrev", "-z", before, after], {}, signal);
  const counts = await runGit(place, [...between, "--numstat", "-z", before, after], {}, signal);
  const patches = await runGit(place, [...between, "-p", before, after], {}, signal);
  const sections = patches.stdout.toString("utf8").split(/^diff --git .*\n/m);
  const sizes = parseCounts(counts.stdout.toString("utf8"));
  let next = 1;
  return parseRaw(raw.stdout.toString("utf8")).map(({ isTypeChange, ...change }) => {
    const section = sections[next] ?? "";
    // A file that becomes a link is shown as a deletion and a new file.
    next += isTypeChange ? 2 : 1;
    const hunks = isTypeChange ? "" : /^@@ [\s\S]*/m.exec(section)?.[0];
    return { ...change, ...(sizes.get(change.path) ?? { added: 0, removed: 0, binary: false }), hunks: hunks ?? "" };
  });
}

/** The lines of a file's hunks: what GitHub shows, and what can be commented on. */
export function hunkLines(hunks: string): HunkLine[] {
  const lines: HunkLine[] = [];
  let before = 0;
  let after = 0;
  for (const text of hunks.split("\n")) {
    const header = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(text);
    if (header !== null) {
      before = Number(header[1]);
      after = Number(header[2]);
    } else if (text.startsWith("+")) lines.push({ kind: "added", line: after++, text: text.slice(1) });
    else if (text.startsWith("-")) lines.push({ kind: "removed", line: before++, text: text.slice(1) });
    else if (text.startsWith(" ")) {
      lines.push({ kind: "context", line: after++, text: text.slice(1) });
      before += 1;
    }
  }
  return lines;
}

type RawChange = Pick<ChangedFile, "path" | "previousPath" | "status" | "kind"> & { readonly isTypeChange: boolean };

/** Records of `:mode mode blob blob letter`, each followed by one path, or by two for a rename. */
function parseRaw(output: string): RawChange[] {
  const fields = output.split("\0");
  const changes: RawChange[] = [];
  for (let index = 0; index + 1 < fields.length; index += 1) {
    const [oldMode = "", newMode = "", , , letter = ""] = (fields[index] ?? "").slice(1).split(" ");
    const isRename = letter.startsWith("R");
    index += 1;
    const first = fields[index] ?? "";
    if (isRename) index += 1;
    changes.push({
      path: isRename ? (fields[index] ?? "") : first,
      previousPath: isRename ? first : null,
      status: isRename ? "renamed" : letter === "A" ? "added" : letter === "D" ? "removed" : "modified",
      kind: kindOf(letter === "D" ? oldMode : newMode),
      isTypeChange: letter === "T",
    });
  }
  return changes;
}

function kindOf(mode: string): ChangedFile["kind"] {
  if (mode === "120000") return "symlink";
  return mode === "160000" ? "submodule" : "file";
}

/** Records of `added removed path`; a rename has an empty path and is followed by both. */
function parseCounts(output: string): Map<string, Pick<ChangedFile, "added" | "removed" | "binary">> {
  const fields = output.split("\0");
  const sizes = new Map<string, Pick<ChangedFile, "added" | "removed" | "binary">>();
  for (let index = 0; index < fields.length; index += 1) {
    const [added = "", removed = "", ...rest] = (fields[index] ?? "").split("\t");
    if (rest.length === 0) continue;
    const name = rest.join("\t");
    if (name === "") index += 2;
    const path = name === "" ? (fields[index] ?? "") : name;
    const binary = added === "-";
    sizes.set(path, { added: binary ? 0 : Number(added), removed: binary ? 0 : Number(removed), binary });
  }
  return sizes;
}
