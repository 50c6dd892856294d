import { isDeepStrictEqual } from "node:util";
import { parse as parseToml } from "smol-toml";
import { hunkLines } from "../checkout/changed-files.ts";
import type { ChangedText } from "./change.ts";
import { readDeclared } from "./declared.ts";

/** What a change is, by the most that it touches: from lockfiles alone to code. */
export type ChangeKind = "lockfile" | "pin" | "manifest" | "workflow" | "code";

export interface Classification {
  readonly kind: ChangeKind;
  /** Files that a bump of versions does not explain, with what they are. */
  readonly beyondPins: readonly { readonly path: string; readonly kind: Exclude<ChangeKind, "lockfile" | "pin"> }[];
}

const order: readonly ChangeKind[] = ["lockfile", "pin", "manifest", "workflow", "code"];

/** Says what kind of a change it is. */
export function classifyChange(files: readonly ChangedText[]): Classification {
  const kinds = files.map((text) => ({ path: text.file.path, kind: kindOf(text) }));
  const kind = order.findLast((each) => kinds.some((file) => file.kind === each)) ?? "code";
  const beyondPins = kinds.flatMap(({ path, kind: its }) =>
    its === "lockfile" || its === "pin" ? [] : [{ path, kind: its }],
  );
  return { kind, beyondPins };
}

function kindOf(text: ChangedText): ChangeKind {
  const { file, role } = text;
  if (file.kind !== "file") return "code";
  switch (role) {
    case "lockfile":
      return file.status === "modified" ? "lockfile" : "manifest";
    case "workflow":
      return isPinOfWorkflow(text) ? "pin" : "workflow";
    case "manifest":
      return isPinOfManifest(text) ? "pin" : "manifest";
    case "pin-file":
      return isPinByLine(text, /./) ? "pin" : "code";
    case "other":
      return "code";
  }
}

/** Only lines that name an action or an image may change, and of them only the version; the comment behind says which one it is. */
function isPinOfWorkflow(text: ChangedText): boolean {
  return isPinByLine(text, /^\s*(-\s+)?(uses|image):/);
}

function isPinOfManifest(text: ChangedText): boolean {
  const { file, before, after } = text;
  if (before === null || after === null || file.status !== "modified") return false;
  if (/(^|\/)package\.json$/i.test(file.path))
    return sameButRanges(file.path, before, after, (each) => JSON.parse(each));
  if (/(^|\/)pyproject\.toml$/i.test(file.path)) return sameButRanges(file.path, before, after, parseToml);
  return isPinByLine(text, /./);
}

/** The same document once every range of a package that both sides declare is blotted out. */
function sameButRanges(path: string, before: string, after: string, parse: (text: string) => unknown): boolean {
  const old = readDeclared(path, before);
  const now = readDeclared(path, after);
  if (old === null || now === null || !isDeepStrictEqual([...old.ranges.keys()], [...now.ranges.keys()])) return false;
  try {
    return isDeepStrictEqual(withoutRanges(parse(before)), withoutRanges(parse(after)));
  } catch {
    return false;
  }
}

const sections = /dependenc|^requires$|^overrides$|^resolutions$/i;

function withoutRanges(value: unknown, isInside = false): unknown {
  if (typeof value === "string")
    return isInside ? value.replace(/(?<=^[\w.-]+(?:\[[^\]]*\])?)\s*[=<>~!^].*$|^[\d^~<>=*v].*$/, "") : value;
  if (Array.isArray(value)) return value.map((each) => withoutRanges(each, isInside));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, withoutRanges(each, isInside || sections.test(key))]),
  );
}

/** What stands for a version, a digest or a ref in a line. */
const versions = /\b(?:sha\d+:)?[0-9a-f]{32,64}\b|\bv?\d+(?:[.\-_+]\w+)*\b|\s+#.*$/gi;

/** Whether every changed line of a file is of a form, and differs from the one that it replaces by a version only. */
function isPinByLine({ file, before, after }: ChangedText, form: RegExp): boolean {
  if (before === null || after === null || file.status !== "modified") return false;
  const lines = hunkLines(file.hunks);
  const removed = lines.filter(({ kind }) => kind === "removed").map(({ text }) => text);
  const added = lines.filter(({ kind }) => kind === "added").map(({ text }) => text);
  if (removed.length === 0 || removed.length !== added.length) return false;
  return removed.every((text, index) => {
    const other = added[index] ?? "";
    return form.test(text) && form.test(other) && text.replace(versions, "#") === other.replace(versions, "#");
  });
}
