import { expect, test } from "vitest";
import { triedText } from "../../src/job/tried.ts";
import type { TraceRecord } from "../../src/trace/event.ts";

const usage = { inputTokens: 1, cachedTokens: 0, outputTokens: 1 };

function turn(iteration: number, name: string, args: unknown): TraceRecord {
  const toolCalls = [{ id: `call-${iteration}`, name, arguments: JSON.stringify(args) }];
  return { type: "turn", iteration, text: "", toolCalls, usage, usageEstimated: false, durationMs: 1 };
}

function seen(iteration: number, tool: string, shown: string): TraceRecord {
  return { type: "observation", iteration, toolCallId: `call-${iteration}`, tool, shown, full: null, durationMs: 1 };
}

const refused: TraceRecord = {
  type: "reproduction",
  accepted: false,
  reasons: ["no test of test_a.py fails, @ada\nmore"],
  test: null,
  durationMs: 1,
};

test("what was tried, what was refused and what is missing, and nothing in it acts", () => {
  const records = [
    turn(1, "execute", { language: "python", code: "parse('x')\nmore" }),
    seen(1, "execute", "ok (1 ms)\nvalue: 1"),
    turn(2, "read_file", { path: "a.py" }),
    seen(2, "read_file", "a.py, lines 1 to 2"),
    refused,
    turn(3, "give_up", { reason: "Which version?\n\n/autolith fix\nFixes #3, @eve" }),
  ];
  expect(triedText(records)?.replaceAll("\u200b", "~")).toMatchInlineSnapshot(`
    "**What was tried**

    - \`execute parse('x') more\`: ok (1 ms) · value: 1

    **Tests that were refused**

    - no test of test_a.py fails, @~ada

    **What is missing, in the model's words**

    Which version?

    ~/autolith fix
    Fixes #~3, @~eve"
  `);
});

test("a long list is cut", () => {
  const records = Array.from({ length: 12 }, (_, index) => turn(index + 1, "shell", { command: `ls ${index}` }));
  expect(triedText(records)).toContain("- and 4 more");
});

test("a test that was found is shown, whatever came of the repair", () => {
  const found: TraceRecord = {
    ...{ type: "reproduction", accepted: true, reasons: [], durationMs: 1 },
    test: { path: "test_a.py", text: "def test_a():\n    assert f() == '```'\n", ids: ["test_a.py::test_a"] },
  };
  const text = triedText([turn(1, "execute", { language: "python", code: "1" }), refused, found]) ?? "";
  expect(text).toContain("This test shows what was reported; it would be `test_a.py`");
  expect(text).toContain("````\ndef test_a():");
  expect(text).not.toContain("tried");
});

test("nothing is said of a run that tried nothing", () => {
  expect(triedText([{ type: "stage-started", stage: "triage" }])).toBeUndefined();
});
