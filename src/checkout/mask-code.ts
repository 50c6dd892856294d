/** Languages whose comments and strings can be told from code here. */
export type CodeLanguage = "python" | "javascript";

/** Two views of a source text, both as long as it, with spaces where something was taken out; line ends stay in both. */
export interface MaskedCode {
  /** Code alone: the inside of comments, strings and regular expressions is blank. */
  readonly code: string;
  /** The text of comments alone, their markers included. */
  readonly comments: string;
}

/** The language by file name, or by the first line of a script without a known one; null for everything else. */
export function languageOf(path: string, text: string): CodeLanguage | null {
  const extension = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase();
  if (extension !== undefined && /^(pyw?|pyi|pyx|pxd)$/.test(extension)) return "python";
  if (extension !== undefined && /^([cm]?[jt]sx?|vue|svelte|astro)$/.test(extension)) return "javascript";
  const firstLine = /^#!.*/.exec(text)?.[0] ?? "";
  if (/\bpython/.test(firstLine)) return "python";
  return /\b(node|deno|bun|tsx)\b/.test(firstLine) ? "javascript" : null;
}

/** Tells code from comments and strings, in linear time. Never fails: a string that is not closed ends with its line. */
export function maskCode(text: string, language: CodeLanguage): MaskedCode {
  const tokenAt = language === "python" ? pythonTokenAt : javascriptTokenAt;
  let code = "";
  let comments = "";
  let start = 0;
  /** Where the last visible character of code is, for telling a division from a regular expression. */
  let lastCode = -1;
  for (let index = 0; index < text.length; ) {
    const token = tokenAt(text, index, lastCode);
    if (token === null) {
      if (!/\s/.test(text.charAt(index))) lastCode = index;
      index += 1;
      continue;
    }
    const between = text.slice(start, index);
    const inside = text.slice(index, token.end);
    code += between + (token.kind === "comment" ? blank(inside) : blankInside(inside));
    comments += blank(between) + (token.kind === "comment" ? inside : blank(inside));
    if (token.kind === "string") lastCode = token.end - 1;
    index = token.end;
    start = token.end;
  }
  return { code: code + text.slice(start), comments: comments + blank(text.slice(start)) };
}

interface Token {
  readonly kind: "comment" | "string";
  readonly end: number;
}

function pythonTokenAt(text: string, index: number): Token | null {
  const char = text.charAt(index);
  if (char === "#") return { kind: "comment", end: endOfLine(text, index) };
  if (char !== '"' && char !== "'") return null;
  const triple = char.repeat(3);
  return {
    kind: "string",
    end: text.startsWith(triple, index) ? endOfQuoted(text, index, triple) : endOfQuoted(text, index, char),
  };
}

function javascriptTokenAt(text: string, index: number, lastCode: number): Token | null {
  const char = text.charAt(index);
  if (char === '"' || char === "'") return { kind: "string", end: endOfQuoted(text, index, char) };
  if (char === "`") return { kind: "string", end: endOfTemplate(text, index, 0) };
  if (char !== "/") return null;
  const next = text.charAt(index + 1);
  if (next === "/") return { kind: "comment", end: endOfLine(text, index) };
  if (next === "*") return { kind: "comment", end: after(text.indexOf("*/", index + 2), 2, text) };
  if (!startsExpression(text, lastCode)) return null;
  const end = endOfRegularExpression(text, index);
  return end === null ? null : { kind: "string", end };
}

/** Whether a value may start behind the code that ends at `lastCode`, so that a slash opens a regular expression. */
function startsExpression(text: string, lastCode: number): boolean {
  if (lastCode === -1 || /[(,=:[!&|?{};+\-*%~^<>]/.test(text.charAt(lastCode))) return true;
  const word = /[a-z]+$/.exec(text.slice(Math.max(0, lastCode - 10), lastCode + 1))?.[0] ?? "";
  return /^(return|typeof|case|in|of|do|else|void|delete|throw|new|instanceof|yield|await)$/.test(word);
}

/** A longer one is not looked for, so that a line full of slashes takes no quadratic time. */
const longestRegularExpression = 400;

function endOfRegularExpression(text: string, start: number): number | null {
  let inClass = false;
  const limit = Math.min(text.length, start + longestRegularExpression);
  for (let index = start + 1; index < limit; index++) {
    const char = text.charAt(index);
    if (char === "\n") return null;
    if (char === "\\") index += 1;
    else if (char === "[") inClass = true;
    else if (char === "]") inClass = false;
    else if (char === "/" && !inClass) return index + 1;
  }
  return null;
}

/** Behind the closing quote; at the end of the line when a string of one line is not closed. */
function endOfQuoted(text: string, start: number, quote: string): number {
  for (let index = start + quote.length; index < text.length; index++) {
    const char = text.charAt(index);
    if (char === "\\") index += 1;
    else if (char === "\n" && quote.length === 1) return index;
    else if (text.startsWith(quote, index)) return index + quote.length;
  }
  return text.length;
}

/** Templates within templates, as deep as any real code has them; deeper ones end with their first back quote. */
const deepestTemplate = 20;

function endOfTemplate(text: string, start: number, depth: number): number {
  let braces = 0;
  for (let index = start + 1; index < text.length; index++) {
    const char = text.charAt(index);
    if (char === "\\") index += 1;
    else if (char === "$" && text.charAt(index + 1) === "{" && braces === 0) braces += 1;
    else if (char === "{" && braces > 0 && text.charAt(index - 1) !== "$") braces += 1;
    else if (char === "}" && braces > 0) braces -= 1;
    else if (char === "`" && (braces === 0 || depth === deepestTemplate)) return index + 1;
    else if (char === "`") index = endOfTemplate(text, index, depth + 1) - 1;
  }
  return text.length;
}

function endOfLine(text: string, start: number): number {
  return after(text.indexOf("\n", start), 0, text);
}

function after(found: number, length: number, text: string): number {
  return found === -1 ? text.length : found + length;
}

function blank(text: string): string {
  return text.replace(/[^\r\n]/g, " ");
}

function blankInside(text: string): string {
  return text.length < 2 ? text : text.charAt(0) + blank(text.slice(1, -1)) + text.charAt(text.length - 1);
}
