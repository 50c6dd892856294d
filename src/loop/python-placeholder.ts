import type { MaskedCode } from "../checkout/mask-code.ts";
import type { Suspect } from "./elision.ts";
import { isUnwritten, saysSubclass } from "./unwritten.ts";

/** A line of code with strings and comments blank; `index` is 0-based. */
interface CodeLine {
  readonly index: number;
  readonly indent: number;
  readonly code: string;
  /** Whether the line goes on inside a bracket that was opened above. */
  readonly continues: boolean;
}

const quotesOnly = /^[rbuf]{0,2}["']["'\s]*$|^["']$/i;
const abstractBase = /\b(Protocol|ABC|ABCMeta|Interface)\b/;
/** Decorators that take a function for its name and signature. */
const declaration = /@[\w.]*(overload|abstract\w*|singledispatch\w*|group|callback|hookspec\w*)\b/;

/**
 * Python functions whose body is only `...`, `pass`, a TODO or "not implemented", and lines of dots among other statements.
 * Stubs of protocols, abstract classes and overloads are none.
 */
export function findPythonPlaceholders(text: string, masked: MaskedCode): Suspect[] {
  const lines = codeLines(masked.code);
  const texts = text.split("\n");
  const comments = masked.comments.split("\n");
  const found: Suspect[] = [];
  for (const [position, line] of lines.entries()) {
    if (line.continues) continue;
    if (isDots(line.code) && hasSibling(lines, position)) found.push(suspectAt(texts, line.index));
    if (!/^(async\s+)?def\s/.test(line.code)) continue;
    const hollow = hollowLine(lines, position, texts, comments);
    if (hollow !== null && !isDeclared(lines, position)) found.push(suspectAt(texts, hollow));
  }
  return found.sort((a, b) => a.line - b.line);
}

/** The line that stands for the body of the function at `position`, or null when it has a body. */
function hollowLine(lines: readonly CodeLine[], position: number, texts: string[], comments: string[]): number | null {
  const { header, inline, first, end } = functionAt(lines, position);
  const body = lines.slice(first, end).filter(({ code }) => !quotesOnly.test(code));
  const statement = [inline, ...body.map(({ code }) => code)].join(" ").trim();
  const place = inline === "" ? body[0]?.index : header.index;
  const last = lines[end]?.index ?? texts.length;
  if (statement === "" || place === undefined) {
    const inside = comments.slice(header.index, last);
    const note = inside.findIndex((comment) => isUnwritten(comment));
    return note === -1 ? null : header.index + note;
  }
  if (/^(\.\.\.|…|pass|return \.\.\.)( *; *(\.\.\.|pass))* *;?$/.test(statement)) return place;
  const raised = texts.slice(place, last).join("\n");
  if (/^raise NotImplementedError\b *(\(.*\))?$/.test(statement)) return saysSubclass(raised) ? null : place;
  const isOtherError = /^raise \w*(Error|Exception)\(["' ]*\)$/.test(statement);
  return isOtherError && isUnwritten(raised) && !saysSubclass(raised) ? place : null;
}

/** Where the header of a `def` ends, what stands behind its colon, and which lines are its body. */
function functionAt(lines: readonly CodeLine[], position: number) {
  const start = lines[position] as CodeLine;
  let headerEnd = position;
  while (lines[headerEnd + 1]?.continues) headerEnd += 1;
  const header = lines[headerEnd] as CodeLine;
  const signature = lines
    .slice(position, headerEnd + 1)
    .map(({ code }) => code)
    .join(" ");
  let end = headerEnd + 1;
  while (end < lines.length && isWithin(lines[end], start.indent)) end += 1;
  return { header, inline: behindColon(signature), first: headerEnd + 1, end };
}

function isWithin(line: CodeLine | undefined, indent: number): boolean {
  return line !== undefined && (line.continues || line.indent > indent);
}

/** What follows the colon that ends a signature; colons inside brackets belong to annotations. */
function behindColon(signature: string): string {
  let depth = 0;
  for (let index = 0; index < signature.length; index++) {
    const char = signature.charAt(index);
    if (/[([{]/.test(char)) depth += 1;
    else if (/[)\]}]/.test(char)) depth -= 1;
    else if (char === ":" && depth === 0) return signature.slice(index + 1).trim();
  }
  return "";
}

/** Whether a decorator or an enclosing class says that the function is only declared. */
function isDeclared(lines: readonly CodeLine[], position: number): boolean {
  const { indent } = lines[position] as CodeLine;
  let above = position - 1;
  for (; above >= 0; above--) {
    const line = lines[above] as CodeLine;
    if (line.continues) continue;
    if (line.indent !== indent || !line.code.startsWith("@")) break;
    if (declaration.test(line.code)) return true;
  }
  let inner = indent;
  for (; above >= 0 && inner > 0; above--) {
    const line = lines[above] as CodeLine;
    if (line.continues || line.indent >= inner) continue;
    inner = line.indent;
    if (/^(async\s+)?def\s/.test(line.code)) return false;
    if (/^class\s/.test(line.code)) return abstractBase.test(statementAt(lines, above));
  }
  return false;
}

function statementAt(lines: readonly CodeLine[], position: number): string {
  let end = position + 1;
  while (lines[end]?.continues) end += 1;
  return lines
    .slice(position, end)
    .map(({ code }) => code)
    .join(" ");
}

function isDots(code: string): boolean {
  return code === "..." || code === "…";
}

/** Dots alone in a block (`class A: ...`, `except E: ...`) are an idiom; among statements they stand for others. */
function hasSibling(lines: readonly CodeLine[], position: number): boolean {
  const { indent } = lines[position] as CodeLine;
  const isStatement = (line: CodeLine) => !line.continues && !quotesOnly.test(line.code);
  let before = position - 1;
  while (before >= 0 && !isStatement(lines[before] as CodeLine)) before -= 1;
  let after = position + 1;
  while (after < lines.length && !isStatement(lines[after] as CodeLine)) after += 1;
  return (lines[before]?.indent ?? -1) >= indent || lines[after]?.indent === indent;
}

function codeLines(code: string): CodeLine[] {
  let depth = 0;
  const lines: CodeLine[] = [];
  for (const [index, line] of code.split("\n").entries()) {
    const continues = depth > 0;
    for (const char of line) {
      if (/[([{]/.test(char)) depth += 1;
      else if (/[)\]}]/.test(char)) depth = Math.max(0, depth - 1);
    }
    if (line.trim() === "") continue;
    const indent = line.replace(/\t/g, "        ").search(/\S/);
    lines.push({ index, indent, code: line.trim(), continues });
  }
  return lines;
}

function suspectAt(texts: readonly string[], index: number): Suspect {
  return { line: index + 1, text: texts[index] ?? "" };
}
