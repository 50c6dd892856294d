/** Shares of the room: how a text begins, what went wrong within it, and how it ends. */
const share = { head: 0.3, errors: 0.3, tail: 0.4 };
/** Lines shown before and after a line that speaks of an error. */
const around = 2;
/** A line that is longer is cut in its middle, so that one line cannot take all the room. */
const lineShare = 0.2;

const speaksOfError =
  /error\b|exception\b|\bfail(?:ed|ure|s)?\b|\bassert|traceback|\bpanic|\bfatal\b|\bnot ok\b|\bcannot\b|^E\s|[✗✘×]/i;
const speaksOfNone = /\b(?:0|no) (?:failed|failures?|errors?)\b/i;

/**
 * A text that is too long, by its parts that matter: how it begins, a window around each line in its middle that speaks of an error
 * (the first errors first, since later ones often follow from them), and how it ends. What was left out is said where it stood.
 * `chars` is what may be shown; the marks come on top of it.
 */
export function excerpt(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const lines = text.split("\n").map((line) => shortLine(line, Math.max(80, Math.floor(chars * lineShare))));
  const head = fitting(lines, chars * share.head);
  const tail = fitting(lines.slice(head).toReversed(), chars * share.tail);
  const chosen = windows(lines, { from: head, to: lines.length - tail, chars: chars * share.errors });
  const shown = lines.map((_, index) => index < head || index >= lines.length - tail || chosen.has(index));
  return withMarks(lines, shown);
}

/** How many lines from the first on fit in. */
function fitting(lines: readonly string[], chars: number): number {
  let taken = 0;
  let count = 0;
  for (const line of lines) {
    taken += line.length + 1;
    if (taken > chars) break;
    count += 1;
  }
  return count;
}

function windows(lines: readonly string[], room: { from: number; to: number; chars: number }): Set<number> {
  const chosen = new Set<number>();
  let left = room.chars;
  for (let at = room.from; at < room.to; at += 1) {
    const line = lines[at] ?? "";
    if (!speaksOfError.test(line) || speaksOfNone.test(line)) continue;
    const first = Math.max(room.from, at - around);
    const last = Math.min(room.to - 1, at + around);
    const added = Array.from({ length: last - first + 1 }, (_, index) => first + index).filter((i) => !chosen.has(i));
    const cost = added.reduce((sum, index) => sum + (lines[index]?.length ?? 0) + 1, 0);
    if (cost > left) break;
    left -= cost;
    for (const index of added) chosen.add(index);
  }
  return chosen;
}

function withMarks(lines: readonly string[], shown: readonly boolean[]): string {
  const parts: string[] = [];
  let left = 0;
  const mark = () => {
    if (left > 0) parts.push(`[… ${left} ${left === 1 ? "line" : "lines"} left out …]`);
    left = 0;
  };
  for (const [index, line] of lines.entries()) {
    if (shown[index] === true) {
      mark();
      parts.push(line);
    } else {
      left += 1;
    }
  }
  mark();
  return parts.join("\n");
}

function shortLine(line: string, chars: number): string {
  if (line.length <= chars) return line;
  const half = Math.floor(chars / 2);
  return `${line.slice(0, half)}[… ${line.length - 2 * half} characters …]${line.slice(-half)}`;
}
