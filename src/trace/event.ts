import { z } from "zod";

/** Grows when a reader of older traces would misread a newer one. */
export const traceSchemaVersion = 1;

const usage = z.object({
  inputTokens: z.number().int().nonnegative(),
  cachedTokens: z.number().int().nonnegative(),
  outputTokens: z.number().int().nonnegative(),
});

const finding = z.object({
  rule: z.string(),
  file: z.string(),
  line: z.number().int(),
  severity: z.enum(["error", "warning"]),
  message: z.string(),
});

const proof = z.object({
  redBefore: z.boolean(),
  greenAfter: z.boolean(),
  redOnRevert: z.boolean(),
  regressions: z.array(z.string()),
  findings: z.array(finding),
});

const stage = z.enum(["checkout", "install", "sandbox", "triage", "reproduction", "loop", "proof", "publish"]);
export type Stage = z.infer<typeof stage>;

/** What happened, without sequence number and time. All texts are redacted before they are written. */
export const traceRecord = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("run-started"),
    version: z.string(),
    model: z.string(),
    endpoint: z.string(),
    limits: z.record(z.string(), z.number().nullable()),
  }),
  /** What earlier attempts at the same job took, which counts against this one's limits. */
  z.object({
    type: z.literal("carried-over"),
    iterations: z.number().int(),
    usage: usage.extend({ costUsd: z.number().nullable() }),
    wallTimeMs: z.number(),
    /** Tokens in and out of answers that were under way when their process ended: counted, at most so many, but not known. */
    estimatedTokens: z.number().int(),
  }),
  z.object({ type: z.literal("stage-started"), stage }),
  z.object({ type: z.literal("stage-finished"), stage, durationMs: z.number() }),
  z.object({
    type: z.literal("checked-out"),
    tree: z.string(),
    files: z.number().int(),
    command: z.string(),
    runner: z.string(),
    notes: z.array(z.string()),
  }),
  z.object({
    type: z.literal("installed"),
    /** `npm`, `pip`, `setup`, several joined by ` + `. */
    manager: z.string(),
    /** Of the layer. */
    key: z.string(),
    source: z.enum(["cached", "fresh"]),
    ok: z.boolean(),
    files: z.number().int(),
    bytes: z.number(),
    /** What a person should know of it, or why it failed. */
    notes: z.array(z.string()),
    durationMs: z.number(),
  }),
  z.object({
    type: z.literal("test-run"),
    /** Why it was run, in words: `triage 1`, `iteration 3`, `proof: with the patch`. */
    purpose: z.string(),
    status: z.string(),
    exitCode: z.number().nullable(),
    passed: z.number().int().nullable(),
    failing: z.array(z.string()),
    durationMs: z.number(),
    output: z.string(),
  }),
  z.object({ type: z.literal("crash"), text: z.string() }),
  /** What an issue says, as far as the model sees it. */
  z.object({
    type: z.literal("report"),
    title: z.string(),
    body: z.string(),
    comments: z.array(z.object({ login: z.string(), text: z.string() })),
  }),
  /** A test that was claimed to show what an issue reports. */
  z.object({
    type: z.literal("reproduction"),
    accepted: z.boolean(),
    reasons: z.array(z.string()),
    /** The frozen file; null for one that was refused. */
    test: z.object({ path: z.string(), text: z.string(), ids: z.array(z.string()) }).nullable(),
    durationMs: z.number(),
  }),
  z.object({
    type: z.literal("turn"),
    iteration: z.number().int(),
    text: z.string(),
    toolCalls: z.array(z.object({ id: z.string(), name: z.string(), arguments: z.string() })),
    usage,
    usageEstimated: z.boolean(),
    /** What the run has taken by then, earlier attempts included; traces of the first versions lack it. */
    total: usage.extend({ costUsd: z.number().nullable() }).optional(),
    durationMs: z.number(),
  }),
  z.object({
    type: z.literal("observation"),
    iteration: z.number().int(),
    toolCallId: z.string(),
    tool: z.string(),
    /** What the model was shown. */
    shown: z.string(),
    /** The whole text, when the model was shown less. */
    full: z.string().nullable(),
    durationMs: z.number(),
  }),
  z.object({ type: z.literal("nudge"), iteration: z.number().int(), text: z.string() }),
  z.object({
    type: z.literal("verified"),
    accepted: z.boolean(),
    reasons: z.array(z.string()),
    proof,
    tree: z.string().nullable(),
    durationMs: z.number(),
  }),
  z.object({
    type: z.literal("outcome"),
    outcome: z.string(),
    reason: z.string(),
    iterations: z.number().int(),
    usage: usage.extend({ costUsd: z.number().nullable() }),
    durationMs: z.number(),
  }),
]);
export type TraceRecord = z.infer<typeof traceRecord>;

/** One line of a trace file. */
export const traceEvent = z.intersection(
  z.object({ schema: z.literal(traceSchemaVersion), seq: z.number().int(), at: z.iso.datetime() }),
  traceRecord,
);
