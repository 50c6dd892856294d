import type { RunResult } from "../sandbox/sandbox.ts";
import type { TestCase, TestProblem, TestReport, TestStatus } from "./report.ts";
import { type ReportRecord, reportRecord } from "./report-record.ts";

type RecordOf<K extends ReportRecord["kind"]> = Extract<ReportRecord, { kind: K }>;

/**
 * Reads what a report plugin wrote. Null when there is nothing, or when it is not what a plugin writes; only the last
 * line may be cut off, as it is when the run was killed while writing. Code under test runs beside the plugin, so a
 * report alone proves nothing.
 */
export function readReport({ report, exitCode }: RunResult): TestReport | null {
  const records = parseReport(report);
  if (records.length === 0) return null;
  const problems = recordsOf(records, "problem").map(
    ({ id, message, exception }): TestProblem => ({ id, message, exception }),
  );
  return {
    collected: collectedIn(records),
    tests: testsOf(records),
    complete: isComplete(records) && !hidesFailure(records, exitCode),
    ...(problems.length > 0 && { problems }),
  };
}

/** A process that ends with 0 although its runner did not, as in `pytest | tee log`. */
function hidesFailure(records: readonly ReportRecord[], exitCode: number | null): boolean {
  if (exitCode !== 0) return false;
  return records.some(
    (record) => record.kind === "problem" || (record.kind === "end" && (record.exitStatus ?? 0) !== 0),
  );
}

/** Where a process hung, as text, from the records that its own watcher wrote; null when there is none. */
export function hangOf(report: Uint8Array | null): string | null {
  const hangs = recordsOf(parseReport(report), "hang").filter(({ frames }) => frames.length > 0);
  const texts = hangs.map(({ test, file, frames }) =>
    [`in ${test === null ? file : `${file} > ${test}`}`, ...frames.map(frameLine)].join("\n"),
  );
  return texts.length === 0 ? null : texts.join("\n\n");
}

function frameLine(frame: RecordOf<"hang">["frames"][number]): string {
  const locals = Object.entries(frame.locals).map(([name, value]) => `\n      ${name} = ${value}`);
  return `  at ${frame.file}:${frame.line} in ${frame.function}\n    > ${frame.source}${locals.join("")}`;
}

/** The records; none when a line other than a last one that was cut off is no record. */
function parseReport(report: Uint8Array | null): ReportRecord[] {
  const lines = Buffer.from(report ?? [])
    .toString("utf8")
    .split("\n");
  const cutOff = parseLine(lines.pop() ?? "");
  const records = lines.map(parseLine);
  if (!records.every((record) => record !== null)) return [];
  return cutOff === null ? records : [...records, cutOff];
}

function parseLine(line: string): ReportRecord | null {
  try {
    const parsed = reportRecord.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

function recordsOf<K extends ReportRecord["kind"]>(records: readonly ReportRecord[], kind: K): RecordOf<K>[] {
  return records.filter((record): record is RecordOf<K> => record.kind === kind);
}

/** Every session that began has also ended, and nothing was reported after that. */
function isComplete(records: readonly ReportRecord[]): boolean {
  const ends = recordsOf(records, "end").length;
  return ends > 0 && ends === recordsOf(records, "start").length && records.at(-1)?.kind === "end";
}

/** A test that hung comes before others that were announced with it: of these a runner may not have told the end yet. */
function collectedIn(records: readonly ReportRecord[]): string[] {
  const ids = recordsOf(records, "collected").flatMap((record) => record.ids);
  const hung = recordsOf(records, "hang").flatMap(({ file, test }) => (test === null ? [] : [`${file} > ${test}`]));
  return [...new Set([...hung.filter((id) => ids.includes(id)), ...ids, ...hung])];
}

const severity: Record<TestStatus, number> = { passed: 0, skipped: 1, xfailed: 1, xpassed: 1, error: 2, failed: 2 };

/** One case an id: of a test that ran more than once the worst counts. */
function testsOf(records: readonly ReportRecord[]): TestCase[] {
  const crashes = new Map(recordsOf(records, "crash").map((crash) => [crash.file, crash.exception]));
  const reached = new Map(recordsOf(records, "reach").map((reach) => [reach.file, reach.reached]));
  const cases = new Map<string, TestCase>();
  for (const { kind: _, ...test } of recordsOf(records, "test")) {
    const before = cases.get(test.id);
    if (before !== undefined && severity[before.status] >= severity[test.status]) continue;
    const crash = test.status === "error" && test.id === test.file ? crashes.get(test.file) : undefined;
    const exception = crash === undefined ? test.exception : withPlace(crash, test.exception);
    cases.set(test.id, { ...test, exception, reached: test.reached ?? reached.get(test.file) });
  }
  return [...cases.values()];
}

/**
 * The error that ended a file's process knows its message best; of a syntax error only the printed text knows the
 * place.
 */
function withPlace(crash: RecordOf<"crash">["exception"], printed: TestCase["exception"]): TestCase["exception"] {
  return crash.frames.length === 0 && printed !== null ? { ...crash, frames: printed.frames } : crash;
}
