import { type CodeLanguage, languageOf, maskCode } from "../checkout/mask-code.ts";

/** The longest statement that is looked at, in lines. */
const statementLines = 40;
/** How far above a statement the block that holds it is looked for, in lines. */
const blockLines = 400;

/** Words that are no names of anything: what is left without them depends on nothing. */
const constants =
  /\b(?:assert|not|and|or|is|in|True|False|None|await|void|typeof|instanceof|true|false|null|undefined|new|Error|AssertionError|expect|deepEqual|assertTrue|assertFalse|assertEqual)\b|\.\s*\w+|\b[rbfu]{1,2}(?=["'])|\b\d[\w.]*/g;

/**
 * Why a statement fails whatever the project does: it compares only constants, or it fails without a condition. Null when neither can
 * be told from the text. `line` is 1-based; strings and comments do not count.
 */
export function trivialFailure(path: string, text: string, line: number): string | null {
  const language = languageOf(path, text);
  if (language === null) return null;
  const lines = maskCode(text, language).code.split("\n");
  const statement = statementAt(lines, line - 1);
  if (isPlainFailure(statement)) {
    const isChosen = isConditional(lines, line - 1, language);
    return isChosen ? null : "it fails without a condition, whatever the project does";
  }
  if (!isConstantAssertion(statement)) return null;
  return "it asserts something about constants only, whatever the project does";
}

/** The lines from `start` to where all brackets are closed. */
function statementAt(lines: readonly string[], start: number): string {
  let depth = 0;
  const taken: string[] = [];
  for (const text of lines.slice(start, start + statementLines)) {
    taken.push(text);
    depth += count(text, /[([{]/g) - count(text, /[)\]}]/g);
    if (depth <= 0 && !text.trimEnd().endsWith("\\")) break;
  }
  return taken.join("\n").trim();
}

function isConstantAssertion(statement: string): boolean {
  if (!/^(?:await\s+)?(?:self\.assert\w+|assert\b|expect\s*\()/.test(statement)) return false;
  const rest = statement.replace(/^(?:await\s+)?(?:self|t)\s*(?=\.)/, "").replace(constants, "");
  return !/[\p{L}_$]/u.test(rest);
}

function isPlainFailure(statement: string): boolean {
  return /^(?:raise\b|throw\b|(?:pytest|self|assert|expect|t|chai\.assert|vi)\s*\.\s*fail\s*\(|fail\s*\()/.test(
    statement,
  );
}

/** Whether something decides if the statement is reached: a block around it, or a way out before it. */
function isConditional(lines: readonly string[], index: number, language: CodeLanguage): boolean {
  return language === "python" ? isConditionalPython(lines, index) : isConditionalJavaScript(lines, index);
}

function isConditionalPython(lines: readonly string[], index: number): boolean {
  const depth = indentOf(lines[index] ?? "");
  for (const text of lines.slice(Math.max(0, index - blockLines), index).reverse()) {
    if (text.trim() === "") continue;
    if (/^\s*(?:return|raise)\b/.test(text)) return true;
    if (indentOf(text) < depth) return !/^\s*(?:(?:async\s+)?def\b|\)\s*(?:->.*)?:)/.test(text);
  }
  return true;
}

function isConditionalJavaScript(lines: readonly string[], index: number): boolean {
  let depth = 0;
  for (const text of lines.slice(Math.max(0, index - blockLines), index).reverse()) {
    if (/\breturn\b|^\s*(?:else|if\s*\(.*\))\s*$/.test(text)) return true;
    depth += count(text, /\}/g) - count(text, /\{/g);
    if (depth < 0) return !/=>\s*\{|\bfunction\b/.test(text);
  }
  return true;
}

function indentOf(line: string): number {
  return line.replaceAll("\t", "        ").search(/\S|$/);
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
