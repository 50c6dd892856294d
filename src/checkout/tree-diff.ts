import { join } from "node:path";
import { runGit } from "./git.ts";
import type { GitPlace } from "./git-environment.ts";

/** How many lines a changed file gained and lost; a binary file counts none. */
export interface LineChange {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
  readonly binary: boolean;
}

/** The attributes file that makes git show every file as binary, inside a store's folder. */
export function allBinaryFile(directory: string): string {
  return join(directory, "all-binary");
}

const between = ["diff-tree", "-r", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color"];
const patchForm = ["-p", "--binary", "--full-index", "--src-prefix=a/", "--dst-prefix=b/"];

/**
 * The difference of two trees in the form that `git apply` takes, and GNU patch where no file is binary. Renames are shown as a
 * deletion and a new file. A text that is not UTF-8 is shown in git's binary form, since a string cannot hold its bytes.
 */
export async function treeDiff(
  place: GitPlace,
  directory: string,
  before: string,
  after: string,
  signal: AbortSignal,
): Promise<string> {
  const { stdout } = await runGit(place, [...between, ...patchForm, before, after], {}, signal);
  const text = decodeUtf8(stdout);
  if (text !== null) return text;
  const paths = (await lineChanges(place, before, after, signal)).map((change) => change.path);
  const parts = [];
  for (const path of paths) parts.push(await fileDiff(place, directory, [before, after, "--", path], signal));
  return parts.join("");
}

/** Lines added and removed, by changed file. */
export async function lineChanges(
  place: GitPlace,
  before: string,
  after: string,
  signal: AbortSignal,
): Promise<LineChange[]> {
  const { stdout } = await runGit(place, [...between, "--numstat", "-z", before, after], {}, signal);
  const records = stdout.toString("utf8").split("\0").slice(0, -1);
  return records.map((record) => {
    const [added = "", removed = "", ...path] = record.split("\t");
    const binary = added === "-";
    return { path: path.join("\t"), added: binary ? 0 : Number(added), removed: binary ? 0 : Number(removed), binary };
  });
}

async function fileDiff(place: GitPlace, directory: string, args: string[], signal: AbortSignal): Promise<string> {
  const asText = await runGit(place, [...between, ...patchForm, ...args], {}, signal);
  const text = decodeUtf8(asText.stdout);
  if (text !== null) return text;
  const settings = [`core.attributesFile=${allBinaryFile(directory)}`];
  const asBinary = await runGit(place, [...between, ...patchForm, ...args], { settings }, signal);
  return asBinary.stdout.toString("utf8");
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
