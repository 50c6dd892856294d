import { hunkLines } from "../checkout/changed-files.ts";
import { type CodeLanguage, languageOf } from "../checkout/mask-code.ts";
import type { Finding } from "../checkout/patch.ts";
import { changedKeys } from "../checkout/protected-key.ts";
import { addedSkipMarkers } from "../checkout/skip-marker.ts";
import { isTestConfigurationPath, isTestPath } from "../checkout/test-path.ts";
import { findAssertions, findTestNames } from "./assertions.ts";
import type { ChangedText } from "./change.ts";

/** Changed lines of a kind that code has for not being checked. */
const suppressions =
  /@ts-(?:ignore|expect-error|nocheck)|eslint-disable|biome-ignore|#\s*(?:type:\s*ignore|noqa|pylint:\s*disable|pragma:\s*no cover)|istanbul ignore|c8 ignore|v8 ignore/;
const timeouts = /\b(?:timeout|setTimeout|testTimeout|hookTimeout)\w*\s*[:=(]\s*\D{0,40}?(\d[\d_]*)/i;

/**
 * What a change does to the tests, by the rules that Autolith holds its own repairs to: each finding names a rule, and the line of the
 * head where it shows. These are facts about the text; whether one is right is for a person to say.
 */
export function findTestChanges(files: readonly ChangedText[]): Finding[] {
  return files.flatMap((text) => [
    ...(isTestPath(text.file.previousPath ?? text.file.path) ? ofTestFile(text) : []),
    ...ofSettings(text),
    ...ofLines(text),
  ]);
}

function ofTestFile(text: ChangedText): Finding[] {
  const { file, before, after } = text;
  if (file.status === "removed") return [finding("removes-test", file.path, 0, "the test file is deleted")];
  if (!isTestPath(file.path))
    return [finding("removes-test", file.path, 0, `it was the test file ${file.previousPath}`)];
  if (before === null || after === null) return [];
  const language = languageOf(file.path, after);
  if (language === null) return [];
  return [
    ...removedTests(text, language, before, after),
    ...weakened(text, language, before, after),
    ...addedSkipMarkers(file.path, before, after).map(({ line, marker }) =>
      finding("adds-skip", file.path, line, `\`${marker}\` keeps a test from running or from failing`),
    ),
  ];
}

function removedTests({ file }: ChangedText, language: CodeLanguage, before: string, after: string): Finding[] {
  const left = findTestNames(after, language);
  const gone = findTestNames(before, language).filter((name) => {
    const at = left.indexOf(name);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
  // As many new names as old ones that are gone: they were renamed.
  if (gone.length === 0 || gone.length <= left.length) return [];
  const names = gone.slice(0, 3).join(", ");
  const more = gone.length > 3 ? ` and ${gone.length - 3} more` : "";
  const line = firstChangedLine(file.hunks);
  return [
    finding("removes-test", file.path, line, `${gone.length === 1 ? "a test is" : "tests are"} gone: ${names}${more}`),
  ];
}

function weakened({ file }: ChangedText, language: CodeLanguage, before: string, after: string): Finding[] {
  const old = findAssertions(before, language);
  const now = findAssertions(after, language);
  const line = lineOfLostAssertion(file.hunks, new Set(old.map(({ text }) => text)));
  const lost = old.length - now.length;
  if (lost > 0) {
    const what = lost === 1 ? "an assertion is" : `${lost} assertions are`;
    return [finding("removes-assertion", file.path, line, `${what} gone`)];
  }
  const strict = (all: typeof old) => all.filter(({ isStrict }) => isStrict).length;
  const looser = strict(old) - strict(now);
  if (looser > 0) {
    const what = looser === 1 ? "an assertion accepts" : `${looser} assertions accept`;
    return [finding("weakens-assertion", file.path, line, `${what} more than before`)];
  }
  return [];
}

/** Settings that steer the tests. */
function ofSettings({ file, before, after }: ChangedText): Finding[] {
  if (isTestConfigurationPath(file.path)) {
    return [
      finding("edits-test-configuration", file.path, firstChangedLine(file.hunks), "it says which tests run, and how"),
    ];
  }
  return changedKeys(file.path, before, after).map(({ key, line }) =>
    finding("edits-test-configuration", file.path, line, `"${key ?? file.path}" says which tests run, and how`),
  );
}

function ofLines({ file, role }: ChangedText): Finding[] {
  if (role !== "other") return [];
  const lines = hunkLines(file.hunks);
  const removed = new Set(lines.filter(({ kind }) => kind === "removed").map(({ text }) => text.trim()));
  const found: Finding[] = [];
  for (const { kind, line, text } of lines) {
    if (kind !== "added" || removed.has(text.trim())) continue;
    const marker = suppressions.exec(text)?.[0];
    if (marker !== undefined)
      found.push(finding("adds-suppression", file.path, line, `\`${marker}\` silences a check`));
    const limit = Number(timeouts.exec(text)?.[1]?.replaceAll("_", ""));
    if (isTestPath(file.path) && Number.isFinite(limit) && limit > earlierLimit(lines)) {
      found.push(finding("raises-timeout", file.path, line, "a test may take longer than before"));
    }
  }
  return found;
}

/** The largest time limit among the lines that are taken away; none was there when there is none. */
function earlierLimit(lines: ReturnType<typeof hunkLines>): number {
  const limits = lines
    .filter(({ kind }) => kind === "removed")
    .map(({ text }) => Number(timeouts.exec(text)?.[1]?.replaceAll("_", "")))
    .filter(Number.isFinite);
  return Math.max(0, ...limits);
}

/** Where the assertion stood that is not there any more: the first line behind it that the head has. */
function lineOfLostAssertion(hunks: string, assertions: ReadonlySet<string>): number {
  const lines = hunkLines(hunks);
  const at = lines.findIndex(({ kind, text }) => kind === "removed" && assertions.has(text.trim()));
  const near = at === -1 ? undefined : (lines.slice(at).find(isOnHead) ?? lines.slice(0, at).findLast(isOnHead));
  return near?.line ?? firstChangedLine(hunks);
}

function firstChangedLine(hunks: string): number {
  const lines = hunkLines(hunks);
  const changed = lines.findIndex(({ kind }) => kind !== "context");
  return (lines.slice(Math.max(0, changed)).find(isOnHead) ?? lines.findLast(isOnHead))?.line ?? 0;
}

function isOnHead({ kind }: { readonly kind: string }): boolean {
  return kind !== "removed";
}

function finding(rule: string, file: string, line: number, message: string): Finding {
  return { rule, file, line, severity: "warning", message };
}
