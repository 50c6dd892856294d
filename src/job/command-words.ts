import { codeSpan } from "../pull-request/neutralise.ts";
import type { IgnoreReason } from "./change.ts";

/** What `/autolith help` answers. */
export const helpText = [
  "**Autolith** repairs failing checks: it reproduces the failure in a sandbox, looks for the cause, proves a repair and proposes it as a pull request.",
  [
    "- `/autolith fix` on a pull request repairs its head now; on an issue it looks for a test that shows what is reported, and then for a repair; what you write behind it is a hint",
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

/** Why a command leads to nothing. */
export type Declined =
  | IgnoreReason
  | "closed"
  | "own"
  | "gone"
  | "locked"
  /** Only pull requests are reviewed. */
  | "no-pull-request"
  | "issue-closed"
  | "edited-since"
  /** Number of a pull request of ours that waits for a decision. */
  | { readonly proposal: number };

/** The same in words; null when that needs none. */
export function declinedText(reason: Declined, command: "fix" | "review" = "fix"): string | null {
  if (typeof reason === "object") {
    return `A repair of this issue is proposed already: #${reason.proposal}. To have another one looked for, close it, then comment \`/autolith fix\` again.`;
  }
  switch (reason) {
    case "pushed-since":
    case "older-commit":
      return `The branch was pushed to after your comment, or at the very same moment. Look at its head, then comment \`/autolith ${command}\` again.`;
    case "closed":
      return "This pull request is closed, so there is nothing to do here.";
    case "no-pull-request":
      return "There is nothing to review on an issue; `/autolith fix` has what it reports repaired.";
    case "issue-closed":
      return "This issue is closed, so there is nothing to repair here.";
    case "edited-since":
      return "The issue was edited after your comment, or at the very same moment. Read it again, then comment `/autolith fix` again.";
    case "own":
      return "This pull request is Autolith's own; ask on the one that it belongs to.";
    case "known":
    case "draft":
    case "handled":
    case "gone":
    case "locked":
      return null;
  }
}
