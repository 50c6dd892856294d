/** Splits what would otherwise act: invisible in the rendered text, and enough for GitHub not to see a mention or a command. */
const split = "\u200b";

/**
 * Text of a model, a log or a repository as Markdown that only says something: nobody is mentioned, no issue is linked or closed, no
 * command is given, nothing is loaded, no HTML and no fence begins.
 */
export function plainMarkdown(text: string): string {
  return text
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/`{3,}|~{3,}/g, (fence) => [...fence].join(split))
    .replace(/@(?=[\w-])/g, `@${split}`)
    .replace(/#(?=\d)/g, `#${split}`)
    .replace(/\b(GH-)(?=\d)/gi, `$1${split}`)
    .replace(/!\[/g, `!${split}[`)
    .replace(/\](?=[([:])/g, `]${split}`)
    .replace(/\b(https?|ftp):\/\//gi, `$1:${split}//`)
    .replace(/\bwww\./gi, `www${split}.`)
    .replace(/\[(skip ci|ci skip|no ci|skip actions|actions skip)\]/gi, `[${split}$1]`)
    .replace(/^([ \t>*-]*)\//gm, `$1${split}/`);
}

/** The same, on one line and fit for a table's cell. */
export function tableCell(text: string, chars: number): string {
  const flat = text.replace(/\s+/g, " ").trim();
  const cut = flat.length > chars ? `${flat.slice(0, chars - 1).trimEnd()}…` : flat;
  return plainMarkdown(cut).replace(/\|/g, "\\|");
}

/** A code span that its text cannot end; for names and short code in a table or a sentence. */
export function codeSpan(text: string, chars = 200): string {
  const flat = text.replace(/\s+/g, " ").trim();
  const cut = flat.length > chars ? `${flat.slice(0, chars - 1)}…` : flat;
  const longest = Math.max(0, ...(cut.match(/`+/g) ?? []).map((run) => run.length));
  const ticks = "`".repeat(longest + 1);
  const pad = cut.startsWith("`") || cut.endsWith("`") ? " " : "";
  return `${ticks}${pad}${cut}${pad}${ticks}`;
}

/** A code block whose fence is longer than any in its text. */
export function codeBlock(text: string, language = ""): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`;
}
