import { diffArrays, diffWordsWithSpace } from "diff";

/** Two values that are both this short need no difference: it is seen at a glance. */
const shortChars = 40;
/** Changes shown, and what stands around them. */
const shownChanges = 6;
const shownLines = 24;
const contextChars = 24;
/** Beyond this many edits two values have nothing to do with each other; it also bounds the time that comparing takes. */
const maxEditLength = 400;
const comparedChars = 20_000;

/**
 * Where a produced value differs from the expected one, for values too long to compare by eye: `[-expected-]{+produced+}` within a
 * line, or lines that begin with `-` (expected) and `+` (produced). Null when it would say no more than the two values do.
 */
export function differenceOf(produced: string, expected: string): string | null {
  if (produced === expected || (produced.length <= shortChars && expected.length <= shortChars)) return null;
  if (produced.length > comparedChars || expected.length > comparedChars) return null;
  const [before, after] = [linesOf(expected), linesOf(produced)];
  const text = before.length > 1 || after.length > 1 ? byLine(before, after) : byWord(expected, produced);
  return text !== null && text.length < (produced.length + expected.length) * 0.8 ? text : null;
}

/** Representations of strings hold their line breaks escaped. */
function linesOf(text: string): string[] {
  return text.split(/(?<=\n|(?<!\\)\\n)/);
}

function byLine(before: string[], after: string[]): string | null {
  const changes = diffArrays(before, after, { maxEditLength });
  if (changes === undefined) return null;
  const lines = changes.flatMap(({ added, removed, value }) =>
    added || removed ? value.map((line) => `${added ? "+" : "-"} ${line.replace(/\n$/, "")}`) : [],
  );
  const shown = lines.slice(0, shownLines).join("\n");
  return lines.length > shownLines ? `${shown}\n… ${lines.length - shownLines} more lines` : shown;
}

function byWord(before: string, after: string): string | null {
  const changes = diffWordsWithSpace(before, after, { maxEditLength });
  if (changes === undefined || changes.filter(({ added, removed }) => added || removed).length > 2 * shownChanges)
    return null;
  const parts = changes.map((change, index) => {
    if (change.removed) return `[-${change.value}-]`;
    if (change.added) return `{+${change.value}+}`;
    return around(change.value, index === 0, index === changes.length - 1);
  });
  return parts.join("");
}

function around(text: string, isFirst: boolean, isLast: boolean): string {
  const start = isFirst ? "" : text.slice(0, contextChars);
  const end = isLast ? "" : text.slice(-contextChars);
  return text.length <= start.length + end.length ? text : `${start}…${end}`;
}
