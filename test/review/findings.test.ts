import { expect, test } from "vitest";
import { type ClaimedFinding, diffLines, judgeFindings } from "../../src/review/findings.ts";
import { RunLog } from "../../src/review/run-log.ts";
import { changed } from "./changed-text.ts";

const lines = diffLines({
  files: [changed("src/a.js", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\n5\n6\n7\n8\nnine\n")],
});
const runs = new RunLog();
runs.add({ what: "all tests on the base", input: null, output: "2 passed\nExperimentalWarning" });
runs.add({ what: "all tests on the head", input: null, output: "1 passed, 1 failed\nExperimentalWarning" });
runs.add({
  what: "`execute`",
  input: 'total("x"); "made up"',
  output: "error\nTypeError: prices.reduce is not a function\n'made up'",
});

const claim = (overrides: Partial<ClaimedFinding> = {}): ClaimedFinding => ({
  file: "src/a.js",
  line: 9,
  message: "A text makes it throw.",
  evidence: { run: 3, shows: "TypeError: prices.reduce is\n not a function" },
  ...overrides,
});
const reasonOf = (overrides: Partial<ClaimedFinding>) => {
  const [judged] = judgeFindings([claim(overrides)], lines, runs);
  return judged?.kind === "dropped" ? judged.reason : "held";
};

test("a finding on a line of the diff with a fact from a run holds", () => {
  expect(reasonOf({})).toBe("held");
  expect(reasonOf({ line: 6 })).toBe("held");
  expect(reasonOf({ evidence: { run: 2, shows: "1 passed, 1 failed" } })).toBe("held");
});

test.each([
  ["a line that the diff does not show", { line: 5 }, /does not show this line/],
  ["a line behind the end", { line: 4000 }, /does not show this line/],
  ["a file that is not changed", { file: "src/b.js" }, /no lines of this file/],
  ["a run that was never made", { evidence: { run: 9, shows: "TypeError" } }, /there is no run 9/],
  ["words that the run did not say", { evidence: { run: 3, shows: "RangeError: out of range" } }, /does not show that/],
  ["its own words, printed", { evidence: { run: 3, shows: "made up" } }, /only repeats/],
  ["nothing", { evidence: { run: 3, shows: "  " } }, /too short/],
  ["what the base shows too", { evidence: { run: 2, shows: "ExperimentalWarning" } }, /the base shows the same/],
  ["a run of the base", { evidence: { run: 1, shows: "2 passed" } }, /the base shows the same/],
])("a finding with %s is dropped", (_, overrides, reason) => {
  expect(reasonOf(overrides)).toMatch(reason);
});
