import { posix } from "node:path";
import { type FileReader, readText } from "../runner/file-reader.ts";

/** Files that projects use for what their tests need, relative to the project. */
const known = [
  /^requirements\.txt$/,
  /^requirements[-_.](?:dev|develop|development|test|tests|testing|ci)\.txt$/,
  /^(?:dev|test|tests|testing|ci)[-_.]requirements\.txt$/,
  /^requirements\/(?:requirements|base|main|dev|develop|development|test|tests|testing|ci)\.txt$/,
];
/** https://pip.pypa.io/en/stable/reference/requirements-file-format/ */
const included = /^\s*(?:-r|--requirement|-c|--constraint)[\s=]+(\S+)/;
const local = /^\s*(?:-e|--editable)[\s=]+(\S+)|^\s*(\.{1,2}(?:\/[^\s;#[]*)?(?:\[[^\]]*\])?)\s*(?:[;#]|$)/;
const most = 50;

export interface Requirements {
  /** The files that pip is given, in the checkout; empty when there are none. */
  readonly files: readonly string[];
  /** Those and the files that they name, at any depth. */
  readonly all: readonly string[];
  /** Folders of the checkout that they install. */
  readonly projects: readonly string[];
}

/** The requirement files of a project (`""`: the root). */
export async function requirementFiles(files: FileReader, folder: string): Promise<Requirements> {
  const prefix = folder === "" ? "" : `${folder}/`;
  const found = files.paths.filter(
    (path) => path.startsWith(prefix) && known.some((pattern) => pattern.test(path.slice(prefix.length))),
  );
  const paths = new Set(files.paths);
  const all = new Set(found);
  const projects = new Set<string>();
  for (const path of all) {
    if (all.size > most) break;
    for (const line of ((await readText(files, path)) ?? "").split(/\r?\n/)) {
      const named = included.exec(line)?.[1];
      // Named from where the file lies; projects from where pip runs.
      const next = named === undefined ? null : within(posix.dirname(path), named);
      if (next !== null && paths.has(next)) all.add(next);
      const [, editable, plain] = local.exec(line) ?? [];
      const project = within(folder, (editable ?? plain ?? "").replace(/\[.*/, ""));
      if (project !== null && (editable ?? plain) !== undefined) projects.add(project);
    }
  }
  return { files: found, all: [...all], projects: [...projects] };
}

/** A path of the checkout; null for one that leads out of it. */
function within(folder: string, path: string): string | null {
  const joined = posix.normalize(posix.join(folder, path)).replace(/\/$/, "");
  if (joined === "." || joined === "") return "";
  return joined.startsWith("..") || joined.startsWith("/") ? null : joined;
}
