import { diffArrays } from "diff";
import { type CodeLanguage, languageOf, maskCode } from "../checkout/mask-code.ts";
import { findElisions, type Suspect } from "./elision.ts";
import { findJavaScriptPlaceholders } from "./javascript-placeholder.ts";
import { findPythonPlaceholders } from "./python-placeholder.ts";

/** A line of the new text that stands where code should be; `line` is 1-based. */
export interface Placeholder {
  readonly line: number;
  readonly text: string;
}

/** Files whose text is for people or data, where "..." is an ordinary word. */
const prose = /\.(?:md|mdx|markdown|rst|txt|adoc|html?|svg|csv|json|jsonl|lock|po|tex)$/i;
const declarations = /\.(?:pyi|d\.[cm]?ts)$/i;

/** More changed lines than that are all taken for new ones, which bounds the time of the comparison. */
const mostChangedLines = 1_000;

/**
 * The first placeholder that an edit adds: a function whose body is only `...`, `pass`, a TODO or "not implemented", a comment such
 * as "rest unchanged" on a line of its own, or dots among statements. Null when the new text is complete code.
 * Stubs, protocols, overloads and abstract methods need no body; words in comments beside code, and lines that the old text had, do
 * not count. `preceding` is what stands in the file before the edit: it shows which class a method is in.
 */
export function findPlaceholder(path: string, oldText: string, newText: string, preceding = ""): Placeholder | null {
  const text = preceding + newText;
  const language = languageOf(path, text);
  if (language === null && (prose.test(path) || !/\.\w+$/.test(path))) return null;
  const added = addedLines(oldText, newText);
  const offset = preceding.split("\n").length - 1;
  const suspects = findSuspects(path, text, language);
  const found = suspects.find(({ line }) => added.has(line - offset));
  return found === undefined ? null : { line: found.line - offset, text: found.text };
}

function findSuspects(path: string, text: string, language: CodeLanguage | null): Suspect[] {
  const masked = language === null ? null : maskCode(text, language);
  const suspects = findElisions(text, masked);
  if (masked !== null && !declarations.test(path)) {
    const find = language === "python" ? findPythonPlaceholders : findJavaScriptPlaceholders;
    suspects.push(...find(text, masked));
  }
  return suspects.sort((a, b) => a.line - b.line);
}

/** Lines of the new text, 1-based, that the old text does not have there; white space around them does not count. */
function addedLines(oldText: string, newText: string): ReadonlySet<number> {
  const lines = (text: string) => text.split("\n").map((line) => line.trim());
  const after = lines(newText);
  const changes = diffArrays(lines(oldText), after, { maxEditLength: mostChangedLines });
  if (changes === undefined) return new Set(after.map((_, index) => index + 1));
  const added = new Set<number>();
  let line = 0;
  for (const change of changes) {
    if (change.removed) continue;
    for (const _ of change.value) {
      line += 1;
      if (change.added) added.add(line);
    }
  }
  return added;
}
