import { z } from "zod";
import type { ExceptionReport, Frame } from "../sandbox/sandbox.ts";
import type { TestCase, TestReport } from "./report.ts";

const frame: z.ZodType<Frame> = z.object({
  file: z.string(),
  line: z.number().int(),
  function: z.string(),
  source: z.string(),
  locals: z.record(z.string(), z.string()),
});

const exception: z.ZodType<ExceptionReport> = z.lazy(() =>
  z.object({ type: z.string(), message: z.string(), frames: z.array(frame), cause: exception.optional() }),
);

const record = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("start"), runner: z.string(), version: z.string() }),
  z.object({ kind: z.literal("collected"), ids: z.array(z.string()) }),
  z.object({
    kind: z.literal("test"),
    id: z.string(),
    file: z.string(),
    status: z.enum(["passed", "failed", "error", "skipped", "xfailed", "xpassed"]),
    durationMs: z.number().nonnegative(),
    message: z.string().default(""),
    exception: exception.nullish(),
    assertion: z.object({ operator: z.string(), produced: z.string(), expected: z.string() }).nullish(),
  }),
  /** An error outside of any test, such as a configuration that cannot be loaded. */
  z.object({
    kind: z.literal("problem"),
    id: z.string(),
    message: z.string().default(""),
    exception: exception.nullish(),
  }),
  z.object({ kind: z.literal("end"), exitStatus: z.number().int().nullish() }),
]);
type Record = z.infer<typeof record>;

/**
 * Reads what a report plugin wrote: one JSON record a line. The last line may be cut off, when the process was killed; anything else that is
 * no record makes the report unreadable, which is null. Code under test runs beside the plugin, so a report alone proves nothing.
 */
export function readReportLines(bytes: Uint8Array): TestReport | null {
  const lines = Buffer.from(bytes).toString("utf8").split("\n");
  const last = lines.pop();
  const records: Record[] = [];
  for (const line of lines) {
    const parsed = parseRecord(line);
    if (parsed === null) return null;
    records.push(parsed);
  }
  const isCut = last !== undefined && last !== "";
  const end = records.findIndex(({ kind }) => kind === "end");
  // Something behind the closing record was not written by the plugin.
  if (end !== -1 && end !== records.length - 1) return null;
  if (records.length === 0 || (end !== -1 && isCut)) return null;
  return {
    collected: records.flatMap((each) => (each.kind === "collected" ? each.ids : [])),
    tests: records.flatMap(testOf),
    complete: end !== -1,
  };
}

function parseRecord(line: string): Record | null {
  try {
    return record.parse(JSON.parse(line));
  } catch {
    return null;
  }
}

function testOf(each: Record): TestCase[] {
  if (each.kind === "problem") {
    const { id, message, exception = null } = each;
    return [{ id, file: id, status: "error", durationMs: 0, message, exception, assertion: null }];
  }
  if (each.kind !== "test") return [];
  const { id, file, status, durationMs, message, exception = null, assertion = null } = each;
  return [{ id, file, status, durationMs, message, exception, assertion }];
}
