import { z } from "zod";

/** How a job can end; `reason` beside it is one line for a person. */
export const jobOutcomes = [
  "opened",
  "suggested",
  "reviewed",
  "clean",
  "not-reproduced",
  "flaky",
  "red-on-base",
  "environment",
  "exhausted",
  "stuck",
  "gave-up",
  "rejected",
  "stale",
  "cancelled",
  "infrastructure",
] as const;

export type JobOutcome = (typeof jobOutcomes)[number];

/** How a job has to end, decided from outside of it. */
export const endingSchema = z.object({
  cause: z.enum(["superseded", "stopped", "withdrawn", "closed", "issue-closed", "suspended", "uninstalled", "broken"]),
  outcome: z.enum(jobOutcomes),
  reason: z.string(),
});

export type Ending = z.infer<typeof endingSchema>;
export type EndingCause = Exclude<Ending["cause"], "broken">;

/** The ending that each cause from outside means. */
export function endingOf(cause: EndingCause): Ending {
  switch (cause) {
    case "superseded":
      return { cause, outcome: "stale", reason: "a newer commit was pushed" };
    case "stopped":
      return { cause, outcome: "cancelled", reason: "stopped by a command" };
    case "withdrawn":
      return { cause, outcome: "cancelled", reason: "the comment that asked for it was deleted" };
    case "closed":
      return { cause, outcome: "cancelled", reason: "the pull request was closed" };
    case "issue-closed":
      return { cause, outcome: "cancelled", reason: "the issue was closed" };
    case "suspended":
      return { cause, outcome: "cancelled", reason: "the App was suspended" };
    case "uninstalled":
      return { cause, outcome: "cancelled", reason: "the App was removed from the repository" };
  }
}

/** Whether nothing may be called at GitHub any more, not even to say how the job ended. */
export function isSilent(ending: Ending): boolean {
  return ending.cause === "suspended" || ending.cause === "uninstalled";
}
