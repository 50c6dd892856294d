import { z } from "zod";
import type { Spent } from "../model/budget.ts";
import type { ActiveJob } from "./active-job.ts";

const count = z.number().int().nonnegative();
const money = z.number().nonnegative().nullable();

const spentSchema = z.object({
  inputTokens: count,
  cachedTokens: count,
  outputTokens: count,
  iterations: count,
  costUsd: money,
  // Records of an earlier version have none of these.
  wallTimeMs: count.default(0),
  inFlight: z.object({ inputTokens: count, outputTokens: count, costUsd: money }).nullable().default(null),
  estimatedTokens: count.default(0),
});

/** Of a run that was let in and did nothing yet. */
export const nothingSpent: Spent = {
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  iterations: 0,
  costUsd: 0,
  wallTimeMs: 0,
  inFlight: null,
  estimatedTokens: 0,
};

/** What earlier attempts at the job took; undefined when none was let in. */
export function spentBefore({ progress }: Pick<ActiveJob, "progress">): Spent | undefined {
  const parsed = spentSchema.safeParse(progress.spend);
  return parsed.success ? parsed.data : undefined;
}
