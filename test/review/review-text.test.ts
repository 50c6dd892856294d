import { expect, test } from "vitest";
import { knownBots } from "../../src/config/known-bots.ts";
import { compareRuns } from "../../src/review/compare-runs.ts";
import type { Facts } from "../../src/review/facts.ts";
import { verdictOf } from "../../src/review/verdict.ts";
import { pytestRun } from "../builders/test-run.ts";
import { changed } from "./changed-text.ts";
import { checkoutOf } from "./checkout-of.ts";

const settings = { bots: [{ id: knownBots.dependabot, signed: true }], event: "comment", approve: false } as const;
const green = pytestRun({ "t.py::a": "passed", "t.py::b": "passed" });
const red = pytestRun({ "t.py::a": "passed", "t.py::b": "failed" });
const manifest = changed("requirements.txt", "pad==1.0\n", "pad==2.0\n");

function facts(parts: Partial<Facts> = {}, head = green): Facts {
  const runs = { base: green, head, comparison: compareRuns(green, head), wavering: [], oldTests: null, problem: null };
  return {
    change: { base: checkoutOf({}), head: checkoutOf({}), files: [manifest] },
    baseSha: "a".repeat(40),
    headSha: "b".repeat(40),
    classification: { kind: "pin", beyondPins: [] },
    bumps: [{ ecosystem: "python", name: "pad", from: "1.0", to: "2.0", direct: true, file: "requirements.txt" }],
    callSites: [{ name: "pad", sites: [{ file: "shop.py", line: 3, text: "pad(x)", isCall: true, isTest: false }] }],
    disagreements: [],
    testChanges: [],
    command: "python3 -m pytest",
    runs,
    gap: null,
    brokenInstall: null,
    isBumpOnly: true,
    ...parts,
  };
}

const verdict = (of: Facts, more: object = {}) =>
  verdictOf({ facts: of, look: null, settings, isAsked: false, isBots: true, ...more });

test("a review is a table of base against head, and then what is wrong", () => {
  expect(verdict(facts({}, red)).review).toEqual({
    event: "COMMENT",
    comments: [],
    body: [
      "**1 test is red on the head and not on the base.**",
      "",
      "| | `python3 -m pytest` |",
      "|---|---|",
      "| base `aaaaaaa` | 2 passed |",
      "| head `bbbbbbb` | 1 passed, 1 failed |",
      "",
      "- `pad` 1.0 → 2.0, called at `shop.py:3`",
      "",
      "```",
      "t.py::b",
      "```",
    ].join("\n"),
  });
});

test("nothing to say is not said, unless somebody asked or the repository has bumps approved", () => {
  expect(verdict(facts())).toMatchObject({ kind: "clean", review: null, breaks: false });
  expect(verdict(facts()).summary).toMatch(
    /^Changes versions only: `requirements.txt`\.\n\n\| \| `python3 -m pytest` \|/,
  );
  expect(verdict(facts(), { isAsked: true }).review).toMatchObject({ event: "COMMENT" });
  const approving = { settings: { ...settings, approve: true } };
  expect(verdict(facts(), approving).review).toMatchObject({ event: "APPROVE" });
});

test.each([
  [
    "code beside the versions",
    facts({ classification: { kind: "code", beyondPins: [{ path: "a.py", kind: "code" }] } }),
  ],
  ["a head whose tests are red", facts({}, red)],
  ["tests that could not be run", facts({ runs: null, gap: "it is not known how the tests are run" })],
  ["a suite without tests", facts({}, pytestRun({}))],
])("nobody approves %s", (_, of) => {
  expect(verdict(of, { settings: { ...settings, approve: true } }).review?.event).not.toBe("APPROVE");
});

test("what is not a bot's own is never approved", () => {
  expect(verdict(facts(), { settings: { ...settings, approve: true }, isBots: false }).review).toBeNull();
});

test("changes are asked for only where the repository wants that, and something is wrong", () => {
  const strict = { settings: { ...settings, event: "request_changes" } };
  expect(verdict(facts({}, red), strict).review?.event).toBe("REQUEST_CHANGES");
  const touched = [{ rule: "adds-skip", file: "t.py", line: 1, severity: "warning", message: "skipped" }] as const;
  expect(verdict(facts({ testChanges: touched }), strict).review?.event).toBe("COMMENT");
});

test("text of packages, tests and models is only text", () => {
  const evil = "@octo/team <!-- --> /autolith fix [skip ci] ![x](https://evil.example)";
  const bumps = [{ ecosystem: "npm", name: evil, from: "1", to: evil, direct: true, file: "package.json" }] as const;
  const { body = "" } = verdict(facts({ bumps, brokenInstall: evil })).review ?? {};
  expect(body.replace(/`[^`]*`/g, "")).not.toMatch(/@octo|<!--|!\[x\]\(|https:\/\/evil/);
});
