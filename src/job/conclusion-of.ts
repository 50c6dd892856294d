import type { Conclusion } from "../github/check-run.ts";
import type { JobOutcome } from "./ending.ts";

/** How a job's check run ends: never as a failure, so that a required check is not red because of Autolith. */
export function conclusionOf(outcome: JobOutcome): Conclusion {
  if (["opened", "suggested", "reviewed", "clean"].includes(outcome)) return "success";
  return outcome === "cancelled" ? "cancelled" : "neutral";
}
