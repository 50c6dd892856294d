import { z } from "zod";
import type { ReviewSettings } from "../config/review-settings.ts";
import { plainMarkdown } from "../pull-request/neutralise.ts";
import { isRed } from "../verify/target.ts";
import { breaks, concernsOf } from "./concerns.ts";
import type { Facts } from "./facts.ts";
import { diffLines } from "./findings.ts";
import type { Look } from "./look.ts";
import { factsText, kindLine, reviewText } from "./review-text.ts";

/** What a review comes to. Plain data, so that a job that broke off can still post it. */
export const verdictSchema = z.object({
  /** `clean`: there is nothing to say. `unknown`: nothing was found, but not everything could be looked at. */
  kind: z.enum(["reviewed", "clean", "unknown"]),
  /** The one line that says the most. */
  headline: z.string(),
  /** Null when nothing is posted, and the check run alone speaks. */
  review: z
    .object({
      event: z.enum(["COMMENT", "REQUEST_CHANGES", "APPROVE"]),
      body: z.string(),
      comments: z.array(z.object({ path: z.string(), line: z.number(), body: z.string() })),
    })
    .nullable(),
  /** Markdown for the check run. */
  summary: z.string(),
  /** The head breaks tests that pass on the base. */
  breaks: z.boolean(),
});

export type ReviewVerdict = z.infer<typeof verdictSchema>;

export interface VerdictOptions {
  readonly facts: Facts;
  readonly look: Look | null;
  readonly settings: ReviewSettings;
  /** A person waits for an answer. */
  readonly isAsked: boolean;
  /** A bot wrote all of it, which has been checked. */
  readonly isBots: boolean;
}

/** GitHub takes more, and nobody reads more. */
const mostComments = 20;

/** Decides what is said, and whether anything is. */
export function verdictOf({ facts, look, settings, isAsked, isBots }: VerdictOptions): ReviewVerdict {
  const concerns = concernsOf(facts, look?.findings ?? []);
  const lines = diffLines(facts.change);
  const { headline, body, comments } = reviewText(facts, concerns.slice(0, mostComments), lines);
  const isGap = facts.gap !== null || facts.runs?.problem != null;
  const kind = concerns.length > 0 ? "reviewed" : isGap ? "unknown" : "clean";
  const event =
    concerns.some(({ isSerious }) => isSerious) && settings.event === "request_changes" ? "REQUEST_CHANGES" : "COMMENT";
  const common = {
    ...({ kind, headline: kind === "unknown" ? "Not everything could be looked at." : headline } as const),
    summary: [kindLine(facts), factsText(facts), ...lookNotes(look)].filter((part) => part !== "").join("\n\n"),
    breaks: facts.runs !== null && facts.runs.problem === null && breaks(facts.runs.comparison),
  };
  if (concerns.length > 0 || isAsked) return { ...common, review: { event, body, comments: [...comments] } };
  const isApproved = settings.approve && isBots && isProvenBump(facts);
  return { ...common, review: isApproved ? { event: "APPROVE", body, comments: [] } : null };
}

/** Only versions change, everything was run, and tests that pass are there on both sides. */
function isProvenBump({ classification, runs, gap }: Facts): boolean {
  if (classification.beyondPins.length > 0 || gap !== null || runs === null || runs.problem !== null) return false;
  const passes = runs.head.report?.tests.some(({ status }) => status === "passed") === true;
  return passes && !isRed(runs.base) && !isRed(runs.head) && runs.wavering.length === 0;
}

function lookNotes(look: Look | null): string[] {
  if (look === null) return [];
  const { dropped, stopped } = look;
  const left = dropped === 1 ? "1 finding of the model is" : `${dropped} findings of the model are`;
  return [
    ...(stopped === null ? [] : [`The model's look was left out or ended early: ${plainMarkdown(stopped)}.`]),
    ...(dropped === 0 ? [] : [`${left} left out: no line of the diff, or no run that shows it.`]),
  ];
}
