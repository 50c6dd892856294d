import type { Trace } from "../trace/recorder.ts";
import type { Reproduction } from "../verify/verify-reproduction.ts";

/** Takes an accepted test down, with its text: a trace must tell what was repaired. */
export function recordReproduction(trace: Trace, { test, ids }: Reproduction, durationMs: number): void {
  const { path, bytes } = test;
  const text = Buffer.from(bytes).toString("utf8");
  trace.record({ type: "reproduction", accepted: true, reasons: [], test: { path, text, ids: [...ids] }, durationMs });
}
