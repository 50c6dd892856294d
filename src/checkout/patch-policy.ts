import { isCheckConfigurationPath } from "./check-configuration.ts";
import { changedCheckKeys } from "./check-key.ts";
import { changedExample } from "./doctest-examples.ts";
import { baseName, foldPath } from "./fold-path.ts";
import type { FileChange, Finding, Patch } from "./patch.ts";
import { changedKeys } from "./protected-key.ts";
import { protectionOf } from "./protected-path.ts";
import { addedSkipMarkers } from "./skip-marker.ts";
import type { Checkout } from "./snapshot.ts";
import { addedSuppressions } from "./suppression.ts";
import { isWorkspacePath } from "./workspace-path.ts";

/** What is known about this one repair besides the conventions. */
export interface PatchPolicyContext {
  /** Files that hold the target or other tests that ran; never editable, whatever their names. */
  readonly testFiles: readonly string[];
  /** Python sources of which only the doctest examples are tests: these stay as they are. */
  readonly doctestFiles?: readonly string[];
  /** Files that the test command itself is made of, such as a Makefile; never editable. */
  readonly commandFiles?: readonly string[];
  /** True when the target is the exit status of a command, which may be a type check, a linter or a build. */
  readonly isCheck?: boolean;
}

/** The tree as it was before the patch. */
export type PatchBase = Pick<Checkout, "read" | "entries">;

/**
 * Holds a patch against the rules that need no run: tests, their configuration, CI and what is loaded by itself stay as they
 * are, and no test is skipped. Names are judged folded, so that case, look-alike forms and odd spellings change nothing; a rename
 * is a deletion and a new file, both judged. Errors refuse the patch, warnings are shown; messages tell the model what to do instead.
 */
export async function judgePatch(before: PatchBase, patch: Patch, context: PatchPolicyContext): Promise<Finding[]> {
  const known = new Map<string, Pick<Finding, "rule" | "message">>();
  for (const path of context.commandFiles ?? []) known.set(foldPath(path), commandFile);
  for (const path of context.testFiles) known.set(foldPath(path), testFile);
  const doctests = new Set(context.doctestFiles?.map(foldPath));
  const findings: Finding[] = [];
  for (const change of patch) {
    const old = await before.read(change.path);
    if (context.isCheck === true) findings.push(...judgeForCheck(change, old));
    findings.push(
      ...judgeName(change.path, old === null, known),
      ...judgeContent(change, old),
      ...(doctests.has(foldPath(change.path)) ? judgeExamples(change, old) : []),
      ...judgeMode(before, change),
    );
  }
  return findings;
}

const testFile = {
  rule: "edits-test",
  message: "this file holds tests that ran; tests are the specification; repair the code that they test",
};
const commandFile = {
  rule: "edits-test-command",
  message: "the test command is made of this file; leave it as it is and repair the code",
};

/** Modules that a file of the same name would take the place of, wherever it is first on the path. */
const runnerModules =
  /(^|\/)(_?pytest|pluggy|iniconfig|unittest|doctest|coverage|_?xdist|hypothesis|nose2?|autolith_\w+)(\.py|\/__init__\.py)$/;

function judgeName(
  path: string,
  isNew: boolean,
  known: ReadonlyMap<string, Pick<Finding, "rule" | "message">>,
): Finding[] {
  const problem = nameProblem(path, isNew);
  if (problem?.rule === "unsafe-path") return [problem];
  const reason = known.get(foldPath(path)) ?? protectionOf(path);
  if (reason !== null) return [error(reason.rule, path, 0, reason.message)];
  return problem === null ? [] : [problem];
}

/** What is wrong with a file's name alone, whatever is in the file; null when nothing is. */
export function nameProblem(path: string, isNew: boolean): Finding | null {
  if (!isWorkspacePath(path) || (isNew && isOddName(path))) {
    const message = "choose an ordinary file name, without odd spaces, dots or hidden characters";
    return error("unsafe-path", path, 0, message);
  }
  if (!isNew || !runnerModules.test(foldPath(path))) return null;
  const message = `a module named ${baseName(path)} takes the test runner's place; choose another name`;
  return error("shadows-runner", path, 0, message);
}

/** A name that reads as another one, or that a terminal does not show as it is. */
function isOddName(path: string): boolean {
  const names = path.split("/");
  return /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\]/u.test(path) || names.some((name) => name !== name.trim() || name.endsWith("."));
}

function judgeContent(change: FileChange, old: Uint8Array | null): Finding[] {
  const { path } = change;
  const before = old === null ? null : decode(old);
  const after = change.kind === "delete" ? null : decode(change.bytes);
  const keys = changedKeys(path, before, after).map(({ key, line }) =>
    key === null
      ? error("edits-test-configuration", path, 0, "the file cannot be read any more; keep its syntax right")
      : error(
          "edits-test-configuration",
          path,
          line,
          `"${key}" steers the tests and stays as it is; other settings may change`,
        ),
  );
  if (after === null) return keys;
  return [...keys, ...skipsIn(path, before ?? "", after)];
}

/** What keeps tests from running, as far as a change adds it; `before` is empty for a new file. */
export function skipsIn(path: string, before: string, after: string): Finding[] {
  return addedSkipMarkers(path, before, after).map(({ line, marker }) =>
    error("adds-skip", path, line, `\`${marker}\` keeps a test from running; make the test pass instead`),
  );
}

function judgeExamples(change: FileChange, old: Uint8Array | null): Finding[] {
  if (change.kind === "delete") return [error("edits-test", change.path, 0, testFile.message)];
  const line = changedExample(old === null ? "" : decode(old), decode(change.bytes));
  const message = "the examples in docstrings are tests that ran; leave them as they are and repair the code";
  return line === null ? [] : [error("edits-test", change.path, line, message)];
}

/** A check is satisfied by code, not by silence, nor by asking for less. */
function judgeForCheck(change: FileChange, old: Uint8Array | null): Finding[] {
  const { path } = change;
  const before = old === null ? null : decode(old);
  const after = change.kind === "delete" ? null : decode(change.bytes);
  const message = "the configuration of the check stays as it is; repair the code that it checks";
  const files = isCheckConfigurationPath(path) ? [error("edits-check-configuration", path, 0, message)] : [];
  const keys = changedCheckKeys(path, before, after).map((key) =>
    error("edits-check-configuration", path, 0, `"${key}": ${message}`),
  );
  const silenced = addedSuppressions(path, before ?? "", after ?? "").map(({ line, marker }) =>
    error("adds-suppression", path, line, `\`${marker}\` silences the check; make the code pass it instead`),
  );
  return [...files, ...keys, ...silenced];
}

function judgeMode(before: PatchBase, change: FileChange): Finding[] {
  const mode = before.entries.get(change.path)?.mode;
  if (mode === undefined || change.kind === "delete" || (mode === "100755") === change.executable) return [];
  const message = change.executable ? "the file becomes executable" : "the file is no longer executable";
  return [{ ...error("changes-mode", change.path, 0, message), severity: "warning" }];
}

/** Bytes that are not UTF-8 become replacement characters, which no reader of settings takes outside of strings. */
function decode(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("utf8");
}

function error(rule: string, file: string, line: number, message: string): Finding {
  return { rule, file, line, severity: "error", message };
}
