import type { MaskedCode } from "../checkout/mask-code.ts";

/** A line that may stand where code should be; `line` is 1-based. */
export interface Suspect {
  readonly line: number;
  readonly text: string;
}

const things =
  "(?:code|implementation|logic|methods?|functions?|imports?|body|contents?|class(?:es)?|definitions?|file|module|tests?)";
const ends =
  "(?:here|unchanged|omitted|elided|as before|as is|as-is|above|below|follows?|continues?|(?:is|are|remains?|stays?|goes)(?: (?:here|unchanged|the same|as is|as before|omitted))?)";

/** What a comment says, in whole, when it stands for code that was left out. */
const elisions: readonly RegExp[] = [
  // "... existing code", "… (rest of the function)", "... unchanged"
  /^(?:\.{3}|…)[\s(]*(?:\S+\s+){0,2}(?:rest|remainder|remaining|existing|unchanged|omitted)\b.{0,60}$/i,
  // "... other methods ..."
  /^(?:\.{3}|…)\s*(?:\S+\s+){0,5}\S*(?:\.{3}|…)$/,
  // "rest of the code ...", "existing imports..."
  /^(?:the\s+)?(?:rest|remainder|remaining|existing|previous|original|other)\b.{0,60}(?:\.{3}|…)$/i,
  // "the rest of the method stays the same", "rest unchanged"
  new RegExp(
    `^(?:the )?(?:rest|remainder)(?: of(?: [\\w'()-]+){0,4}? ${things})?(?: ${ends})(?: for brevity)?[.)]*$`,
    "i",
  ),
  // "existing code", "all remaining methods"; "other functions" alone is a heading, "other functions here" is not.
  new RegExp(`^(?:the |all )?(?:existing|remaining|unchanged) ${things}(?: ${ends})?(?: for brevity)?[.)]*$`, "i"),
  new RegExp(
    `^(?:the |all )?(?:previous|original|other|current|old|same) ${things} ${ends}(?: for brevity)?[.)]*$`,
    "i",
  ),
  // "your code here", "add the logic here", "implementation goes here"
  /^(?:add |insert |put |write |implement )?(?:your |the |actual |real |more |new )*(?:code|logic|implementation|body)(?: goes| belongs)? here[.)]*$/i,
  /^(?:unchanged|same as before|no changes?(?: here| below| above)?|as before|(?:\w+ )?(?:omitted|elided|truncated|snipped)(?: for brevity)?)[.)]*$/i,
];

const onlyDots = /^(?:\.{3}|…)$/;

/** Whole lines that are a comment and nothing else, and say that code was left out. */
export function findElisions(text: string, masked: MaskedCode | null): Suspect[] {
  const lines = text.split("\n");
  const comments = masked === null ? lines.map(commentOfUnknown) : commentsOf(masked);
  return lines.flatMap((line, index) => {
    const comment = comments[index];
    if (comment === undefined || comment === null) return [];
    const isElision = elisions.some((form) => form.test(comment));
    const isDots = onlyDots.test(comment) && !comments[index - 1];
    return isElision || isDots ? [{ line: index + 1, text: line }] : [];
  });
}

/** By line, what a comment that begins there says, without markers; null where code stands, or the middle of a comment. */
function commentsOf({ code, comments }: MaskedCode): (string | null)[] {
  const codeLines = code.split("\n");
  return comments.split("\n").map((comment, index) => {
    // In JSX a comment stands in braces.
    const isAlone = /^\s*(?:\{\s*\}\s*)?$/.test(codeLines[index] ?? "") && comment.trim() !== "";
    return isAlone && /^\s*(?:#|\/[/*])/.test(comment) ? withoutMarkers(comment) : null;
  });
}

function commentOfUnknown(line: string): string | null {
  return /^\s*(?:#|\/\/|--|;|%|\/\*|<!--)/.test(line) ? withoutMarkers(line) : null;
}

function withoutMarkers(comment: string): string {
  return comment
    .trim()
    .slice(0, 200)
    .replace(/^(?:#+|\/\/+|--+|;+|%+|\/\*+|<!--|\{\/\*+|\*+)[!\s]*/, "")
    .replace(/\s*(?:\*+\/\}?|-->|#+|\/\/+)$/, "")
    .replace(/^[-=[({<\s]+(?=[a-z.…])|[-=\])}>\s]+$/gi, "")
    .replace(/\s+/g, " ")
    .trim();
}
