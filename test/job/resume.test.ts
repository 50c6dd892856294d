import { expect, test } from "vitest";
import { asResume, asUnsaid, fromResume, fromUnsaid, type Proven } from "../../src/job/resume.ts";
import { repairOf } from "../pull-request/records.ts";

const proven: Proven = {
  run: "run-1",
  durationMs: 12.5,
  spend: { inputTokens: 1, cachedTokens: 0, outputTokens: 2, iterations: 1, costUsd: null },
  repair: {
    ...repairOf(),
    patch: [
      { kind: "write", path: "a.bin", executable: true, bytes: Buffer.from([0, 255, 128]) },
      { kind: "delete", path: "b.txt" },
    ],
  },
};

test("a proven repair survives the database byte for byte", () => {
  expect(fromResume(JSON.parse(JSON.stringify(asResume(proven))))).toEqual(proven);
});

test("how an attempt ended is known to the next one, which only says it", () => {
  const ended = { outcome: "exhausted", reason: "cost: $3.01 of $3.00 spent", more: "Spent: 3 tokens." } as const;
  const kept: unknown = JSON.parse(JSON.stringify(asUnsaid(ended)));
  expect(fromUnsaid(kept)).toEqual(ended);
  expect(fromResume(kept)).toBeNull();
  expect(fromUnsaid(asResume(proven))).toBeNull();
  expect(fromUnsaid(null)).toBeNull();
});

test.each([null, undefined, {}, { run: "x" }, { ...asResume(proven), repair: { tree: "a" } }])(
  "%j is no proven repair",
  (resume) => {
    expect(fromResume(resume)).toBeNull();
  },
);
