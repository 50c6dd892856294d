import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type TraceRecord, traceEvent } from "../trace/event.ts";
import { openFileTrace, type Trace } from "../trace/recorder.ts";
import type { ActiveJob } from "./active-job.ts";
import type { FixServices } from "./fix-services.ts";

/** The trace of one attempt at a job. */
export interface JobTrace extends Trace, Disposable {
  /** Names the attempt; the file is called so. */
  readonly run: string;
  /** What was taken down so far, without secrets. */
  readonly records: readonly TraceRecord[];
}

/** The name of one attempt at a job: of its trace, and on the labels of its containers. */
export function runOf({ id, attempt }: Pick<ActiveJob, "id" | "attempt">): string {
  return attempt === 1 ? id : `${id}.${attempt}`;
}

/** Which attempt a name stands for; null for a name of something else. */
export function jobOfRun(run: string): { readonly id: string; readonly attempt: number } | null {
  const [, id, attempt = "1"] = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.(\d{1,9}))?$/.exec(run) ?? [];
  return id === undefined ? null : { id, attempt: Number(attempt) };
}

/** Opens the trace of an attempt below the trace directory, in a file of its own. */
export function openJobTrace(
  { id, attempt }: Pick<ActiveJob, "id" | "attempt">,
  { traceDirectory, secrets }: Pick<FixServices, "traceDirectory" | "secrets">,
  onRecord: (record: TraceRecord) => void,
): JobTrace {
  const run = runOf({ id, attempt });
  const records: TraceRecord[] = [];
  const trace = openFileTrace({
    path: join(traceDirectory, `${run}.jsonl`),
    now: () => new Date(),
    secrets,
    onRecord: (record) => {
      records.push(record);
      onRecord(record);
    },
  });
  return { ...trace, run, records, [Symbol.dispose]: () => trace[Symbol.dispose]() };
}

/** What an earlier attempt took down; nothing when its trace is gone or was written by another version. */
export function readRecords({ traceDirectory }: Pick<FixServices, "traceDirectory">, run: string): TraceRecord[] {
  try {
    const lines = readFileSync(join(traceDirectory, `${run}.jsonl`), "utf8")
      .trimEnd()
      .split("\n");
    return lines.map((line) => traceEvent.parse(JSON.parse(line)));
  } catch {
    return [];
  }
}
