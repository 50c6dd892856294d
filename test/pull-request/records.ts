import type { TraceRecord } from "../../src/trace/event.ts";
import type { Repair } from "../../src/verify/repair.ts";

const proof = { redBefore: true, greenAfter: true, redOnRevert: true, regressions: [], findings: [] };
const usage = { inputTokens: 1_200, cachedTokens: 800, outputTokens: 40 };

function testRun(purpose: string, passed: number, failing: string[]): TraceRecord {
  const exitCode = failing.length === 0 ? 0 : 1;
  return { type: "test-run", purpose, status: "exited", exitCode, passed, failing, durationMs: 300, output: "" };
}

export interface Said {
  readonly thought?: string;
  readonly code?: string;
  readonly observation?: string;
  readonly crash?: string;
}

/** The trace of a run with two iterations that proved its repair. */
export function provenRun(said: Said = {}): TraceRecord[] {
  const {
    thought = "The case is not folded.",
    code = "words('The the')",
    observation = "ok\nvalue: ['The', 'the']",
  } = said;
  const red = "tests/test_count.py::test_case";
  return [
    testRun("triage 1", 2, [red]),
    testRun("triage 2", 2, [red]),
    { type: "crash", text: said.crash ?? `FAILED ${red}\n  produced: {'The': 1, 'the': 1}\n  expected: {'the': 2}` },
    {
      type: "turn",
      iteration: 1,
      text: thought,
      toolCalls: [{ id: "a", name: "execute", arguments: JSON.stringify({ language: "python", code }) }],
      usage,
      usageEstimated: false,
      durationMs: 1_500,
    },
    {
      type: "observation",
      iteration: 1,
      toolCallId: "a",
      tool: "execute",
      shown: observation,
      full: null,
      durationMs: 6,
    },
    {
      type: "turn",
      iteration: 2,
      text: "",
      toolCalls: [{ id: "b", name: "finish", arguments: JSON.stringify({ root_cause: "x", summary: "y" }) }],
      usage,
      usageEstimated: false,
      durationMs: 900,
    },
    { type: "stage-started", stage: "proof" },
    testRun("proof: without the patch", 2, [red]),
    testRun("proof: with the patch", 3, []),
    testRun("proof: run 2", 1, []),
    testRun("proof: run 3", 1, []),
    testRun("proof: order 1", 3, []),
    testRun("proof: patch taken back", 0, [red]),
    { type: "verified", accepted: true, reasons: [], proof, tree: "a".repeat(40), durationMs: 4_000 },
    {
      type: "observation",
      iteration: 2,
      toolCallId: "b",
      tool: "finish",
      shown: "proven",
      full: null,
      durationMs: 4_000,
    },
  ];
}

export function repairOf(said: { readonly rootCause?: string; readonly summary?: string } = {}): Repair {
  return {
    patch: [{ kind: "write", path: "words/count.py", executable: false, bytes: Buffer.from("new\n") }],
    tree: "a".repeat(40),
    diff: "diff --git a/words/count.py b/words/count.py\n",
    rootCause: "`frequencies` counted words with their case.",
    summary: "Fold the case of words before they are counted. Nothing else changes.",
    greenRuns: 3,
    ...said,
  };
}
