import { showHidden, stripHidden } from "../hidden-characters.ts";

/** Splits what would otherwise act: invisible in the rendered text, and enough for GitHub not to see a mention or a command. */
const split = "\u200b";

/**
 * Text of a model, a log or a repository as Markdown that only says something: nobody is mentioned, no issue is linked or closed, no
 * command is given, nothing is loaded, no HTML, heading, table or fence begins.
 */
export function plainMarkdown(text: string): string {
  return inertWords(stripHidden(text))
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/`{3,}|~{3,}/g, (fence) => [...fence].join(split))
    .replace(/!\[/g, `!${split}[`)
    .replace(/\](?=[([:])/g, `]${split}`)
    .replace(/^([ \t>*+-]*)(#{1,6}(?=\s|$)|\|)/gm, `$1\\$2`)
    .replace(/^([ \t]*)(=+|-{2,}|(?:[*_-][ \t]*){3,})([ \t]*)$/gm, `$1${split}$2$3`);
}

/** Text for a line that is not rendered, such as a title or the first line of a commit. */
export function plainLine(text: string): string {
  return inertWords(stripHidden(text).replace(/\s+/g, " ").trim());
}

/** Mentions, references, addresses, commands to bots and to CI: wherever they stand, they must not be seen as such. */
function inertWords(text: string): string {
  return text
    .replace(/@(?=[\w-])/g, `@${split}`)
    .replace(/#(?=\d)/g, `#${split}`)
    .replace(/\b(GH-)(?=\d)/gi, `$1${split}`)
    .replace(/\b(https?|ftp):\/\//gi, `$1:${split}//`)
    .replace(/\bwww\./gi, `www${split}.`)
    .replace(skipWords, `[${split}$1]`)
    .replace(/^([ \t>*+-]*)\/(?=\w)/gm, `$1${split}/`);
}

/** https://docs.github.com/en/actions/how-tos/manage-workflow-runs/skip-workflow-runs */
const skipWords = /\[(skip ci|ci skip|no ci|skip actions|actions skip)\]/gi;

/** The same as Markdown, on one line and fit for a table's cell. */
export function tableCell(text: string, chars: number): string {
  const flat = text.replace(/\s+/g, " ").trim();
  return plainMarkdown(cutLine(flat, chars)).replace(/\|/g, "\\|");
}

/** A code span that its text cannot end; for names and short code in a table or a sentence. */
export function codeSpan(text: string, chars = 200): string {
  const cut = cutLine(showHidden(text).replace(/\s+/g, " ").trim(), chars).replace(skipWords, `[${split}$1]`);
  if (cut === "") return "";
  const ticks = "`".repeat(longestTicks(cut) + 1);
  const pad = cut.startsWith("`") || cut.endsWith("`") ? " " : "";
  return `${ticks}${pad}${cut}${pad}${ticks}`;
}

/**
 * A code block whose fence is longer than any in its text. Bots that read the source of comments find no command of theirs at the
 * start of a line, and none that addresses a bot.
 */
export function codeBlock(text: string, language = ""): string {
  const fence = "`".repeat(Math.max(3, longestTicks(text) + 1));
  const inert = showHidden(text)
    .replace(/^([ \t]*)\/(?=[a-z])/gm, `$1${split}/`)
    .replace(/@(?=[\w-]*bot\b)/gi, `@${split}`)
    .replace(skipWords, `[${split}$1]`);
  return `${fence}${language}\n${inert.trimEnd()}\n${fence}`;
}

/** A code block with a patch, character for character, since people apply it. */
export function patchBlock(diff: string): string {
  const fence = "`".repeat(Math.max(3, longestTicks(diff) + 1));
  return `${fence}diff\n${diff.replace(/\n$/, "")}\n${fence}`;
}

function longestTicks(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}

function cutLine(text: string, chars: number): string {
  return text.length > chars ? `${text.slice(0, chars - 1).trimEnd()}…` : text;
}
