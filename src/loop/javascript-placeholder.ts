import type { MaskedCode } from "../checkout/mask-code.ts";
import type { Suspect } from "./elision.ts";
import { isUnwritten, saysSubclass } from "./unwritten.ts";

/** A longer block has a body, whatever stands in it. */
const longestHollow = 2_000;
const longestHeader = 1_000;

/**
 * JavaScript and TypeScript functions whose body is only a TODO or `throw new Error("not implemented")`, and lines of dots. An empty
 * body without a comment is code: it does nothing, on purpose.
 */
export function findJavaScriptPlaceholders(text: string, masked: MaskedCode): Suspect[] {
  const lineOf = lineFinder(text);
  const texts = text.split("\n");
  const places = [...dotLines(masked.code)];
  const open: number[] = [];
  for (const match of masked.code.matchAll(/[{}]/g)) {
    if (match[0] === "{") open.push(match.index);
    else {
      const start = open.pop();
      if (start === undefined || match.index - start > longestHollow) continue;
      const place = hollowPlace(text, masked, start, match.index);
      if (place !== null && opensFunction(masked.code, start)) places.push(lineOf(place));
    }
  }
  return places.sort((a, b) => a - b).map((line) => ({ line, text: texts[line - 1] ?? "" }));
}

/** Where the stand-in for a body is, inside the braces at `open` and `close`; null when there is a body or nothing. */
function hollowPlace(text: string, masked: MaskedCode, open: number, close: number): number | null {
  const code = masked.code.slice(open + 1, close);
  const note = masked.comments.slice(open + 1, close);
  if (code.trim() === "") return isUnwritten(note) ? open + 1 + note.search(/\S/) : null;
  if (!/^throw (?:new )?(?:[\w.]*(?:Error|Exception) ?\([^;]*\)|["'` ]+);?$/.test(code.replace(/\s+/g, " ").trim()))
    return null;
  const thrown = text.slice(open + 1, close);
  return isUnwritten(thrown) && !saysSubclass(thrown) ? open + 1 + code.search(/\S/) : null;
}

/** Whether the brace opens the body of a function, a method or an arrow, and not of a statement. */
function opensFunction(code: string, open: number): boolean {
  const header = code.slice(Math.max(0, open - longestHeader), open).trimEnd();
  if (header.endsWith("=>")) return true;
  const parameters = /\)(?:\s*:\s*[^;{}=]+)?$/.exec(header);
  if (parameters === null) return false;
  let depth = 0;
  for (let index = parameters.index; index >= 0; index--) {
    const char = header.charAt(index);
    if (char === ")") depth += 1;
    else if (char === "(") depth -= 1;
    if (depth === 0) return !/\b(?:if|for|while|switch|catch|with|await)\s*$/.test(header.slice(0, index));
  }
  return false;
}

/** Lines that are nothing but dots: no code is. */
function* dotLines(code: string): Generator<number> {
  for (const [index, line] of code.split("\n").entries()) if (/^\s*(?:\.{3}|…)\s*$/.test(line)) yield index + 1;
}

/** The 1-based line of an offset; offsets may come in any order. */
function lineFinder(text: string): (offset: number) => number {
  const ends = Array.from(text.matchAll(/\n/g), (match) => match.index);
  return (offset) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((ends[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}
