/** A line of a comment, and whether it is its author's own plain text. */
export interface CommentLine {
  readonly text: string;
  readonly kind: "plain" | "blank" | "code" | "quote" | "hidden";
}

/**
 * Sorts the lines of a GitHub comment by what a reader sees: text of the author, code, quotations, and what an HTML comment hides.
 * It follows https://spec.commonmark.org as far as that matters, takes what is unclear for not plain, and is linear in the length.
 */
export function commentLines(body: string): CommentLine[] {
  const state: State = { fence: null, inComment: false, inQuote: false };
  return body.split(/\r\n|\r|\n/).map((text) => ({ text, kind: kindOf(text, state) }));
}

interface State {
  /** The run of characters that opened a block of code. */
  fence: string | null;
  inComment: boolean;
  inQuote: boolean;
}

function kindOf(text: string, state: State): CommentLine["kind"] {
  const fence = /^ {0,3}(`{3,}|~{3,})/.exec(text)?.[1];
  if (state.fence !== null && !state.inComment) {
    if (fence?.startsWith(state.fence) && text.trim() === fence) state.fence = null;
    return "code";
  }
  const wasInComment = state.inComment;
  state.inComment = endsInComment(text, wasInComment);
  if (wasInComment) return "hidden";
  if (text.trim() === "") {
    state.inQuote = false;
    return "blank";
  }
  if (fence !== undefined) {
    state.fence = fence;
    state.inQuote = false;
    return "code";
  }
  // The lines after a quoted one belong to it until a blank one, though they bear no mark of their own.
  state.inQuote ||= /^ {0,3}>/.test(text);
  if (state.inQuote) return "quote";
  if (/^(?: {4}| {0,3}\t)/.test(text)) return "code";
  return text.trimStart().startsWith("<!--") ? "hidden" : "plain";
}

/** Browsers hide what follows an unclosed comment, whatever Markdown makes of the lines. */
function endsInComment(text: string, inComment: boolean): boolean {
  const opened = text.lastIndexOf("<!--");
  const closed = text.lastIndexOf("-->");
  return opened === closed ? inComment : opened > closed;
}
