import { codeSpan, patchBlock, plainMarkdown } from "../pull-request/neutralise.ts";
import { redact } from "../redact.ts";
import type { Repair } from "../verify/repair.ts";

/** Leaves room in a comment, of which GitHub takes 65,536 characters. */
const longestPatch = 50_000;

/** A repair as people take it themselves: for pull requests from forks, to which nothing is pushed. Null when it is too long to show. */
export function suggestionText(repair: Repair, secrets: readonly string[]): string | null {
  const { diff, rootCause, summary, greenRuns } = repair;
  // A patch that quotes a secret cannot be shown, and one with the secret blotted out cannot be applied.
  if (diff.length > longestPatch || redact(diff, secrets) !== diff) return null;
  const words = [rootCause, summary].map((text) => plainMarkdown(text.trim().slice(0, 2_000)));
  return [
    ...words,
    `Proven in a fresh container: red before, green in ${greenRuns} runs with the patch, red again without it. To apply it, copy it into a file and run ${codeSpan("git apply FILE")}:`,
    patchBlock(diff),
  ].join("\n\n");
}
