import { z } from "zod";
import type { Spend } from "../model/budget.ts";
import type { Repair } from "../verify/repair.ts";
import { jobOutcomes } from "./ending.ts";
import type { Ended } from "./words.ts";

const change = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("write"), path: z.string(), executable: z.boolean(), bytes: z.base64() }),
  z.object({ kind: z.literal("delete"), path: z.string() }),
]);

const tokens = z.number().int().nonnegative();

const proven = z.object({
  /** The run that proved it: its trace is kept under this name. */
  run: z.string(),
  durationMs: z.number(),
  spend: z.object({
    inputTokens: tokens,
    cachedTokens: tokens,
    outputTokens: tokens,
    iterations: tokens,
    costUsd: z.number().nullable(),
  }),
  repair: z.object({
    patch: z.array(change),
    tree: z.string(),
    diff: z.string(),
    rootCause: z.string(),
    summary: z.string(),
    greenRuns: z.number(),
  }),
});

/** A proven repair that was not published yet. */
export interface Proven {
  readonly run: string;
  readonly durationMs: number;
  readonly spend: Spend;
  readonly repair: Repair;
}

const unsaid = z.object({
  ended: z.object({
    outcome: z.enum(jobOutcomes),
    reason: z.string(),
    line: z.string().optional(),
    more: z.string().optional(),
  }),
});

/** How an attempt ended that could not say so yet, as a job's record keeps it. */
export function asUnsaid(ended: Ended): z.input<typeof unsaid> {
  const { outcome, reason, line, more } = ended;
  return { ended: { outcome, reason, line, more } };
}

/** How an earlier attempt ended, where only saying it is left to do; else null. */
export function fromUnsaid(resume: unknown): Ended | null {
  const parsed = unsaid.safeParse(resume);
  return parsed.success ? parsed.data.ended : null;
}

/** As a job's record keeps it for the next attempt. */
export function asResume({ repair, ...rest }: Proven): z.input<typeof proven> {
  const patch = repair.patch.map((each) =>
    each.kind === "write" ? { ...each, bytes: Buffer.from(each.bytes).toString("base64") } : each,
  );
  return { ...rest, repair: { ...repair, patch } };
}

/** What an earlier attempt has proven; null when it got no further than that, or when another version of Autolith wrote it. */
export function fromResume(resume: unknown): Proven | null {
  const parsed = proven.safeParse(resume);
  if (!parsed.success) return null;
  const { repair, ...rest } = parsed.data;
  const patch = repair.patch.map((each) =>
    each.kind === "write" ? { ...each, bytes: Buffer.from(each.bytes, "base64") } : each,
  );
  return { ...rest, repair: { ...repair, patch } };
}
