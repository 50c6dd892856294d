import { expect, test } from "vitest";
import { proofTable } from "../../src/pull-request/proof-table.ts";
import type { TraceRecord } from "../../src/trace/event.ts";
import { provenRun } from "./records.ts";

function withRepeats(change: (run: Extract<TraceRecord, { type: "test-run" }>) => object): string {
  const isRepeat = (record: TraceRecord) => record.type === "test-run" && record.purpose.startsWith("proof: run ");
  return proofTable(
    provenRun().map((record) =>
      record.type === "test-run" && isRepeat(record) ? ({ ...record, ...change(record) } as TraceRecord) : record,
    ),
  );
}

test("says that more than the failing tests ran where a runner can only choose files", () => {
  expect(withRepeats(() => ({ passed: 4 }))).toContain(
    "| the files of the failing tests, 2 times more | green | 4 passed, 0 failed each time |",
  );
});

test("says of a command without tests that it ran again", () => {
  const table = withRepeats(() => ({ passed: null, exitCode: 0 }));
  expect(table).toContain("| the command, 2 times more | green | exit status 0 each time |");
});
