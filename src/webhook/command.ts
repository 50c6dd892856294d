import { closest } from "../config/closest.ts";
import type { Command } from "../job/intake.ts";
import { type CommentLine, commentLines } from "../job/plain-lines.ts";
import { storable } from "../job/storable.ts";

const commandLine = /^ {0,3}\/autolith(?:\s+(.*))?$/is;
const words = ["fix", "review", "stop", "help"];

/** A hint is a pointer, not a specification; in UTF-16 units. */
const hintLimit = 2_000;
const wordLimit = 40;

/**
 * The command in a comment: `/autolith fix`, `review`, `stop` or `help` on the first line that is plain text of the author. Null without one.
 * Commands in quotations, code, HTML comments and in the middle of a text do not count. What follows `fix` is a hint.
 */
export function parseCommand(body: string): Command | null {
  const lines = commentLines(body);
  const first = lines.findIndex(({ kind }) => kind === "plain");
  const match = commandLine.exec(lines[first]?.text ?? "");
  if (match === null) return null;
  const [, rest = ""] = match;
  const [written = ""] = rest.split(/\s+/, 1);
  const word = written.toLowerCase().replace(/[.,;:!?]+$/, "");
  switch (word) {
    case "review":
    case "stop":
    case "help":
      return { name: word };
    case "fix":
      return { name: word, hint: hintOf(rest.slice(written.length), lines.slice(first + 1)) };
    default:
      return { name: "unknown", word: storable(written, wordLimit), suggestion: closest(word, words) };
  }
}

/** What the author wrote after the command, blocks of code included, up to a signature or a second command. */
function hintOf(rest: string, following: readonly CommentLine[]): string | null {
  const end = following.findIndex(
    ({ text, kind }) => kind === "plain" && (commandLine.test(text) || /^-- ?$/.test(text)),
  );
  const own = following
    .slice(0, end === -1 ? undefined : end)
    .filter(({ kind }) => kind !== "quote" && kind !== "hidden");
  const text = [rest, ...own.map((line) => line.text)].join("\n").replace(/<!--[\s\S]*?(?:-->|$)/g, "");
  return storable(text.trim(), hintLimit).trim() || null;
}
