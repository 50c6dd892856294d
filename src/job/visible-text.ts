import { commentLines } from "./plain-lines.ts";

/**
 * A text of GitHub's Markdown without what its readers do not see: HTML comments. Templates are full of them, and whoever reads a report
 * before asking for a repair cannot judge what they say. Code is kept as it is.
 */
export function visibleText(text: string): string {
  return commentLines(text)
    .filter(({ kind }) => kind !== "hidden")
    .map((line) => (line.kind === "code" ? line.text : withoutComments(line.text)))
    .join("\n");
}

/** One that goes on in the next line has hidden that line too. */
function withoutComments(line: string): string {
  return line.replace(/<!--.*?(?:-->|$)/g, "");
}
