import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { redact } from "../redact.ts";
import { type Stage, type TraceRecord, traceSchemaVersion } from "./event.ts";

/** Takes down everything that happens in a run, in order. */
export interface Trace {
  /** Where the events go; shown to the user. */
  readonly path: string;
  record(record: TraceRecord): void;
  /** Records the start and the end of a stage around `work`, the end also when it throws. */
  stage<T>(stage: Stage, work: () => Promise<T>): Promise<T>;
}

export interface FileTraceOptions {
  readonly path: string;
  readonly now: () => Date;
  /** Exact strings that must not reach the file, besides everything that looks like a secret. */
  readonly secrets: readonly string[];
  /** Called with each redacted record after it was written. Must not throw. */
  readonly onRecord: (record: TraceRecord) => void;
}

/**
 * A trace that is written line by line: each event is handed to the kernel before `record` returns, so that a killed process
 * leaves everything up to its last event. The file is readable by its owner only, since it quotes private code.
 */
export function openFileTrace(options: FileTraceOptions): Trace & Disposable {
  mkdirSync(dirname(options.path), { recursive: true });
  const file = openSync(options.path, "w", 0o600);
  let seq = 0;
  let open = true;

  function record(record: TraceRecord): void {
    if (!open) return;
    const clean = redactStrings(record, options.secrets);
    seq += 1;
    const line = JSON.stringify({ schema: traceSchemaVersion, seq, at: options.now().toISOString(), ...clean });
    writeSync(file, `${line}\n`);
    options.onRecord(clean);
  }

  async function stage<T>(stage: Stage, work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    record({ type: "stage-started", stage });
    try {
      return await work();
    } finally {
      record({ type: "stage-finished", stage, durationMs: performance.now() - start });
    }
  }

  return {
    path: options.path,
    record,
    stage,
    [Symbol.dispose]() {
      if (!open) return;
      open = false;
      closeSync(file);
    },
  };
}

/** A deep copy in which every string is redacted; numbers, keys and shape stay. */
function redactStrings<T>(value: T, secrets: readonly string[]): T {
  if (typeof value === "string") return redact(value, secrets) as T;
  if (Array.isArray(value)) return value.map((item) => redactStrings(item, secrets)) as T;
  if (value !== null && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redactStrings(item, secrets)])) as T;
  }
  return value;
}
