import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type TraceRecord, traceEvent } from "../../src/trace/event.ts";
import { openFileTrace } from "../../src/trace/recorder.ts";

function openTrace(secrets: readonly string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), "autolith-trace-"));
  const seen: TraceRecord[] = [];
  const trace = openFileTrace({
    path: join(folder, "deep", "run.jsonl"),
    now: () => new Date("2026-11-29T12:00:00Z"),
    secrets,
    onRecord: (record) => seen.push(record),
  });
  onTestFinished(() => {
    trace[Symbol.dispose]();
    rmSync(folder, { recursive: true });
  });
  return { trace, seen, lines: () => readFileSync(trace.path, "utf8").trimEnd().split("\n") };
}

test("an event is in the file as soon as it is recorded", () => {
  const { trace, lines } = openTrace();
  trace.record({ type: "nudge", iteration: 3, text: "look again" });
  const event = traceEvent.parse(JSON.parse(lines()[0] ?? ""));
  expect(event).toEqual({
    schema: 1,
    seq: 1,
    at: "2026-11-29T12:00:00.000Z",
    type: "nudge",
    iteration: 3,
    text: "look again",
  });
});

test("secrets are taken out of every text", () => {
  const { trace, seen, lines } = openTrace(["hunter2-hunter2"]);
  trace.record({ type: "crash", text: "password is hunter2-hunter2" });
  expect(lines()[0]).not.toContain("hunter2");
  expect(JSON.stringify(seen)).not.toContain("hunter2");
});

test("a stage that throws is closed in the trace", async () => {
  const { trace, seen } = openTrace();
  await expect(trace.stage("loop", async () => Promise.reject(new Error("gone")))).rejects.toThrow("gone");
  expect(seen.map((record) => record.type)).toEqual(["stage-started", "stage-finished"]);
});

test("the file is readable by its owner only", () => {
  const { trace } = openTrace();
  expect(statSync(trace.path).mode & 0o077).toBe(0);
});
