import { z } from "zod";
import type { ExceptionReport, Frame } from "../sandbox/sandbox.ts";
import type { TestStatus } from "./report.ts";

const chars = { id: 2_000, message: 16_000, value: 8_000, source: 500, name: 300 };
const most = { frames: 60, locals: 60, causes: 5, ids: 10_000, reached: 100 };

function text(limit: number) {
  return z.string().transform((value) => value.slice(0, limit));
}

const frame = z.object({
  file: text(chars.id),
  line: z.int().nonnegative(),
  function: text(chars.name),
  source: text(chars.source),
  locals: z.record(text(chars.name), text(chars.value)).transform(fewer),
});

const exception: z.ZodType<ExceptionReport> = z
  .object({
    type: text(chars.name),
    message: text(chars.message),
    frames: z.array(frame).transform((frames) => frames.slice(-most.frames)),
    get cause() {
      return exception.optional();
    },
  })
  .transform((value) => shallow(value, most.causes));

const details = {
  message: text(chars.message).default(""),
  exception: exception.nullable().default(null),
};

const status = z.enum(["passed", "failed", "error", "skipped", "xfailed", "xpassed"] satisfies TestStatus[]);

/** One line of a report, as the plugins write it. Texts that are longer than any honest plugin writes are cut. */
export const reportRecord = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("start"), runner: z.string(), version: z.string() }),
  z.object({ kind: z.literal("collected"), ids: z.array(text(chars.id)).max(most.ids) }),
  z.object({
    kind: z.literal("test"),
    id: text(chars.id),
    file: text(chars.id),
    status,
    durationMs: z.number().nonnegative(),
    attempts: z.int().positive().optional(),
    ...details,
    assertion: z
      .object({ operator: text(chars.name), produced: text(chars.value), expected: text(chars.value) })
      .nullable()
      .default(null),
    reached: z.array(text(chars.id)).max(most.reached).optional(),
  }),
  z.object({ kind: z.literal("reach"), file: text(chars.id), reached: z.array(text(chars.id)).max(most.reached) }),
  z.object({ kind: z.literal("problem"), id: text(chars.id), ...details }),
  z.object({ kind: z.literal("crash"), file: text(chars.id), exception }),
  z.object({
    kind: z.literal("hang"),
    file: text(chars.id),
    test: text(chars.id).nullable(),
    frames: z.array(frame).max(most.frames),
  }),
  z.object({ kind: z.literal("end"), exitStatus: z.int().optional() }),
]);

export type ReportRecord = z.infer<typeof reportRecord>;

function fewer(locals: Record<string, string>): Frame["locals"] {
  return Object.fromEntries(Object.entries(locals).slice(0, most.locals));
}

function shallow(value: ExceptionReport, depth: number): ExceptionReport {
  const { cause, ...rest } = value;
  return cause === undefined || depth === 0 ? rest : { ...rest, cause: shallow(cause, depth - 1) };
}
