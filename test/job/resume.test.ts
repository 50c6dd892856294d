import { expect, test } from "vitest";
import { asResume, fromResume, type Proven } from "../../src/job/resume.ts";
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

test.each([null, undefined, {}, { run: "x" }, { ...asResume(proven), repair: { tree: "a" } }])(
  "%j is no proven repair",
  (resume) => {
    expect(fromResume(resume)).toBeNull();
  },
);
