import { expect, test } from "vitest";
import { progressLine } from "../../src/cli/progress.ts";
import type { TraceRecord } from "../../src/trace/event.ts";

function testRun(overrides: Partial<Extract<TraceRecord, { type: "test-run" }>>): TraceRecord {
  return {
    type: "test-run",
    purpose: "triage 1",
    status: "exited",
    exitCode: 1,
    passed: 3,
    failing: ["tests/test_a.py::one", "tests/test_a.py::two"],
    durationMs: 1_234,
    output: "",
    ...overrides,
  };
}

test("a test run is one line with its counts, its first failing test and its time", () => {
  expect(progressLine(testRun({}))).toBe(
    "  triage    run 1: 3 passed, 2 failed: tests/test_a.py::one and 1 more  (1.23 s)",
  );
});

test("a plain command is told by its exit status", () => {
  expect(progressLine(testRun({ passed: null, failing: [], exitCode: 2 }))).toBe(
    "  triage    run 1: exit status 2  (1.23 s)",
  );
});

test("runs that only repeat what held before are left out, and shown when they do not hold", () => {
  expect(progressLine(testRun({ purpose: "proof: run 4 (hash seed 1)", failing: [], exitCode: 0 }))).toBeNull();
  expect(progressLine(testRun({ purpose: "proof: run 4 (hash seed 1)" }))).toContain(
    "run 4 (hash seed 1): 3 passed, 2 failed",
  );
});

test("a turn shows its calls, or that there was none", () => {
  const turn = {
    type: "turn",
    iteration: 2,
    text: "",
    usage: { inputTokens: 1, cachedTokens: 0, outputTokens: 1 },
    usageEstimated: false,
    durationMs: 500,
  } as const;
  const call = { id: "1", name: "shell", arguments: '{"command":\n "ls"}' };
  expect(progressLine({ ...turn, toolCalls: [call] })).toBe('  #2        shell {"command": "ls"}  (0.50 s)');
  expect(progressLine({ ...turn, text: "Let me think.", toolCalls: [] })).toBe(
    "  #2        no tool call: Let me think.  (0.50 s)",
  );
});

test("a long failure is cut and says where the rest is", () => {
  const text = Array.from({ length: 40 }, (_, index) => `line ${index}`).join("\n");
  expect(progressLine({ type: "crash", text })?.split("\n")).toHaveLength(32);
  expect(progressLine({ type: "crash", text })).toContain("10 more lines in the trace");
});
