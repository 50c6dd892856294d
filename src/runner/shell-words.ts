import { parse } from "shell-quote";

/** One word of a shell text. */
export interface ShellWord {
  /** As it is written, with its quotes. */
  readonly raw: string;
  /** What the shell makes of it; null when that depends on variables, commands or file names. */
  readonly value: string | null;
}

/** One simple command, such as `CI=1 pytest -q`. */
export interface SimpleCommand {
  readonly words: readonly ShellWord[];
  /** What stands behind it: `&&`, `||`, `|`, `;`, `&`, a line break, or nothing at the end. */
  readonly separator: string;
}

/** Text up to the next place where something of the shell's grammar begins. */
const quoted = /'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]/y;
const separator = /&&|\|\||[;|\n]|&(?!>)/y;
const redirection = /\d*(?:>>|>&|<&|>\||&>>?|<>|[<>])/y;
const compound = /^(?:if|for|while|until|case|select|function|then|else|elif|fi|do|done|esac|\{|\}|!|\[\[)$/;
const hasExpansion = /[$`*?[\]{}~]/;

/**
 * Splits a shell text into its simple commands. Null for what is more than a list of them (loops, conditions, groups,
 * here documents, command substitution) and for text that ends inside quotes: its commands cannot be told apart by
 * reading words.
 */
export function simpleCommands(text: string): SimpleCommand[] | null {
  const commands: SimpleCommand[] = [];
  let raws: string[] = [];
  for (const token of tokens(text)) {
    if (token === null) return null;
    if (token.kind === "word") raws.push(token.text);
    else {
      if (raws.length > 0) commands.push({ words: raws.map(toWord), separator: token.text });
      raws = [];
    }
  }
  if (raws.length > 0) commands.push({ words: raws.map(toWord), separator: "" });
  return commands.some(({ words }) => compound.test(words[0]?.raw ?? "")) ? null : commands;
}

/** The text of a list of commands. */
export function shellText(commands: readonly SimpleCommand[]): string {
  const texts = commands.map(({ words, separator: behind }, index) => {
    const text = words.map(({ raw }) => raw).join(" ");
    if (index === commands.length - 1) return behind === "&" ? `${text} &` : text;
    return behind === "\n" ? `${text}\n` : behind === ";" ? `${text}; ` : `${text} ${behind} `;
  });
  return texts.join("");
}

type Token = { readonly kind: "word" | "separator"; readonly text: string };

function* tokens(source: string): Generator<Token | null> {
  // Outside of single quotes a backslash at the end of a line joins it with the next one.
  const text = source.replaceAll(/\r\n?/g, "\n").replaceAll(/(?<!\\)\\\n/g, " ");
  let at = 0;
  while (at < text.length) {
    const character = text[at] ?? "";
    if (character === " " || character === "\t") at += 1;
    else if (character === "#") at = endOfLine(text, at);
    else {
      const found = match(separator, text, at);
      if (found !== null) {
        at += found.length;
        yield { kind: "separator", text: found };
        continue;
      }
      const end = wordEnd(text, at);
      if (end === null) return yield null;
      yield { kind: "word", text: text.slice(at, end) };
      at = end;
    }
  }
}

/**
 * Where the word that starts here ends; null for grammar that is not taken apart. A redirection is a word with its
 * target.
 */
function wordEnd(text: string, start: number): number | null {
  let at = start;
  while (at < text.length) {
    const character = text[at] ?? "";
    if (character === "'" || character === '"' || character === "\\") {
      const part = match(quoted, text, at);
      if (part === null || (character === '"' && /[$]\(|`/.test(part))) return null;
      at += part.length;
    } else if (/[()`]/.test(character) || text.startsWith("<<", at)) return null;
    else {
      const redirected = match(redirection, text, at);
      if (redirected !== null && (at === start || !/^\d/.test(redirected))) {
        if (at > start) return at;
        at += redirected.length;
        while (text[at] === " ") at += 1;
      } else if (/[\s;|&]/.test(character)) return at === start ? null : at;
      else at += 1;
    }
  }
  return at;
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}

function match(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

function toWord(raw: string): ShellWord {
  const bare = raw.replaceAll(/'[^']*'|\\[\s\S]/g, "");
  const unquoted = bare.replaceAll(/"[^"$`]*"/g, "");
  if (hasExpansion.test(unquoted) || /^\d*[<>&]/.test(raw)) return { raw, value: null };
  const [value, ...more] = parse(raw);
  return { raw, value: typeof value === "string" && more.length === 0 ? value : null };
}
