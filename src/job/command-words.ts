import { codeSpan } from "../pull-request/neutralise.ts";
import type { IgnoreReason } from "./change.ts";

/** What `/autolith help` answers. */
export const helpText = [
  "**Autolith** repairs failing checks: it reproduces the failure in a sandbox, looks for the cause, proves a repair and proposes it as a pull request.",
  [
    "- `/autolith fix` repairs the head of this pull request now; what you write behind it is a hint",
    "- `/autolith review` runs its tests on its base and on its head, and says what differs",
    "- `/autolith stop` ends what it is doing here",
    "- `/autolith help` shows this",
  ].join("\n"),
  "Commands count on the first line of a new comment, from people who may write to the repository.",
].join("\n\n");

/** What is answered to a word that is no command. */
export function unknownText(word: string, suggestion: string | null): string {
  const meant = suggestion === null ? "" : ` Did you mean ${codeSpan(`/autolith ${suggestion}`)}?`;
  const said =
    word === "" ? "A word is missing behind `/autolith`." : `${codeSpan(word, 40)} is no command of Autolith.`;
  return `${said}${meant} \`/autolith help\` lists what it understands.`;
}

/** Why a command leads to nothing; null when that needs no words. */
export function declinedText(
  reason: IgnoreReason | "closed" | "issue" | "own",
  command: "fix" | "review" = "fix",
): string | null {
  switch (reason) {
    case "pushed-since":
    case "older-commit":
      return `The branch was pushed to after your comment, or at the very same moment. Look at its head, then comment \`/autolith ${command}\` again.`;
    case "closed":
      return "This pull request is closed, so there is nothing to do here.";
    case "issue":
      return "Autolith repairs the checks of pull requests; it does not work on issues yet.";
    case "own":
      return "This pull request is Autolith's own; ask on the one that it belongs to.";
    case "known":
    case "draft":
    case "handled":
      return null;
  }
}
