import { maskCode } from "./mask-code.ts";

/** What stands between examples of two string literals. */
const boundary = "|";

interface Example {
  /** 1-based. */
  readonly line: number;
  readonly text: string;
}

/**
 * The first line at which the doctest examples of a Python source are other ones than before, or stand in other string literals;
 * null when they are the same. An example is a line with `>>>` and what follows up to an empty line
 * (https://docs.python.org/3/library/doctest.html#how-are-docstring-examples-recognized). Takes linear time.
 */
export function changedExample(before: string, after: string): number | null {
  const [old, now] = [examplesOf(before), examplesOf(after)];
  const at = now.findIndex(({ text }, index) => text !== old[index]?.text);
  if (at !== -1) return now[at]?.line ?? 1;
  return now.length === old.length ? null : (now.at(-1)?.line ?? 1);
}

/** Examples in the order in which they stand, each literal's after a boundary: one that is moved out of a docstring is no example any more. */
function examplesOf(source: string): Example[] {
  const masked = maskCode(source, "python");
  const code = masked.code.split("\n");
  const comments = masked.comments.split("\n");
  const found: Example[] = [];
  let isInside = false;
  for (const [index, line] of source.split("\n").entries()) {
    const codeInLine = code[index] ?? "";
    // Quotes are code, so a literal ends where one stands.
    if (codeInLine.trim() !== "" && found.at(-1)?.text !== boundary) found.push({ line: index + 1, text: boundary });
    const text = stringPart(line, codeInLine, comments[index] ?? "").trim();
    isInside = text !== "" && (isInside || text.includes(">>>"));
    if (isInside) found.push({ line: index + 1, text });
  }
  return found.filter(({ text }, index) => text !== boundary || (found[index + 1]?.text ?? boundary) !== boundary);
}

/** What of a line stands within string literals. */
function stringPart(line: string, code: string, comment: string): string {
  const isOutside = (at: number) => code.charAt(at).trim() !== "" || comment.charAt(at).trim() !== "";
  return Array.from({ length: line.length }, (_, at) => (isOutside(at) ? " " : line.charAt(at))).join("");
}
