import { plainMarkdown } from "../pull-request/neutralise.ts";
import type { JobOutcome } from "./ending.ts";
import { type StatusText, titles } from "./words.ts";

/** How a review ended that found nothing out, and what to do next. */
export function reviewEndText(outcome: JobOutcome, reason: string): StatusText {
  const flat = plainMarkdown(reason.replace(/\s+/g, " ").trim()).slice(0, 600);
  const line = `${flat.charAt(0).toUpperCase()}${flat.slice(1)}.`.replace(/([.?!…])\.$/, "$1");
  return { title: titles[outcome], summary: `${line}\n\n${nextStep(outcome)}` };
}

function nextStep(outcome: JobOutcome): string {
  if (outcome === "stale") return "Next: the newer commit is reviewed by itself.";
  return "Next: to have it reviewed again, comment `/autolith review`.";
}

/** Said where Autolith has not spoken in the repository before. */
export const reviewGreeting =
  "<sub>This is Autolith's first word in this repository. It reviews pull requests of bots by running base and head. `review: { bots: [] }` in `.github/autolith.yml` switches that off; `/autolith help` lists what it understands.</sub>";

/** Said at the end of a review whose failure Autolith goes on to repair. */
export const repairFollows =
  "Autolith looks for a repair now and proposes it as a pull request on top of this branch; nothing is pushed to the branch itself.";
