import { diffArrays } from "diff";
import type { ToolCall } from "../model/model.ts";

interface Shown {
  /** Where it stands in the conversation, in words. */
  readonly where: string;
  readonly text: string;
}

/** Shorter observations are sent again as they are: nothing is won, and a small model reads them more easily. */
const worthwhileChars = 600;
/** A difference that is longer than this share of the text is no help. */
const worthwhileShare = 0.6;
/** Unchanged lines shown before and after a change. */
const context = 1;
const maxEditLength = 200;

/**
 * What the model was shown, so that the observation of a repeated call is sent as its difference. The first line, which says how
 * it ended, is always sent. Nothing that was sent before is ever changed, so that prompt caches hold; a difference is always to
 * a text that was shown whole.
 */
export class ShownObservations {
  readonly #whole = new Map<string, Shown>();

  /** A crash with which the conversation begins stands for a first run of the target. */
  constructor(crash: string | null) {
    if (crash === null) return;
    this.#whole.set(keyOf({ name: "run_tests", arguments: "{}" }), { where: "the failure at the start", text: crash });
  }

  /** What to send for the observation of a call. */
  shape(call: ToolCall, iteration: number, text: string): string {
    const key = keyOf(call);
    const before = this.#whole.get(key);
    const difference = before === undefined || text.length < worthwhileChars ? null : differenceTo(before, text);
    if (difference !== null) return difference;
    this.#whole.set(key, { where: `iteration ${iteration}`, text });
    return text;
  }
}

/** Calls with the same key ask the same. Claims differ in their words, and are about the same files. */
function keyOf({ name, arguments: args }: Pick<ToolCall, "name" | "arguments">): string {
  return name === "finish" ? name : `${name} ${args.replace(/\s+/g, " ").trim() || "{}"}`;
}

function differenceTo({ where, text: before }: Shown, after: string): string | null {
  const [headline = "", ...lines] = after.split("\n");
  const changes = diffArrays(before.split("\n").slice(1), lines, { maxEditLength, comparator: sameButForTimes });
  if (changes === undefined) return null;
  const changed = changes.flatMap(({ added, removed, value }, index) => {
    if (added) return value.map((line) => `+ ${line}`);
    if (removed) return value.map((line) => `- ${line}`);
    return kept(value, index > 0, index < changes.length - 1);
  });
  const isSame = changes.every(({ added, removed }) => !added && !removed);
  const text = isSame
    ? `${headline}\n[The rest is the same as in ${where}.]`
    : `${headline}\n[The rest is as in ${where}, but for lines that are gone (-) and lines that are new (+):]\n${changed.join("\n")}`;
  return text.length <= after.length * worthwhileShare ? text : null;
}

/** Unchanged lines next to a change. */
function kept(lines: readonly string[], afterChange: boolean, beforeChange: boolean): string[] {
  const start = afterChange ? context : 0;
  const end = beforeChange ? context : 0;
  if (lines.length <= start + end) return lines.map((line) => `  ${line}`);
  const shown = [...lines.slice(0, start), "…", ...lines.slice(lines.length - end)];
  return shown.map((line) => `  ${line}`);
}

function sameButForTimes(left: string, right: string): boolean {
  return left === right || withoutTimes(left) === withoutTimes(right);
}

/** Durations and addresses of objects differ from run to run. */
function withoutTimes(line: string): string {
  return line.replace(/\b\d+(?:\.\d+)?(?= ?m?s\b)/g, "#").replace(/\b0x[0-9a-f]{6,}/gi, "0x#");
}
