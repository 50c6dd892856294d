import { z } from "zod";
import type { Spend } from "../model/budget.ts";
import type { Repair } from "../verify/repair.ts";

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
