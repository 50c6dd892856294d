import type { TestCase, TestRun } from "../runner/report.ts";
import { isRed } from "../verify/target.ts";

/** One test whose result differs between base and head, or that is on one side only. */
export interface TestDifference {
  readonly id: string;
  readonly file: string;
  /** What the run of the head says of it, in a line or two; empty when it says nothing. */
  readonly message: string;
}

/** Base against head, test by test. */
export interface RunComparison {
  /** Passed on the base, and do not pass on the head. */
  readonly broken: readonly TestDifference[];
  /** Red on the base, and pass on the head. */
  readonly repaired: readonly TestDifference[];
  /** Red on both. */
  readonly redOnBoth: readonly TestDifference[];
  /** Were run on the base, and are not there on the head. */
  readonly gone: readonly TestDifference[];
  readonly added: readonly TestDifference[];
  /** The head is red as a whole where the base is not, though no single test says so. */
  readonly brokenAsWhole: boolean;
}

/** Compares the whole suite of two trees. Tests that waver have to be sorted out by whoever runs them. */
export function compareRuns(base: TestRun, head: TestRun): RunComparison {
  const before = casesOf(base);
  const after = casesOf(head);
  const pick = (choose: (before: TestCase | undefined, after: TestCase | undefined) => boolean): TestDifference[] =>
    [...new Set([...before.keys(), ...after.keys()])]
      .filter((id) => choose(before.get(id), after.get(id)))
      .map((id) => differenceOf(id, after.get(id) ?? before.get(id), after.get(id)));
  const broken = pick((old, now) => passes(old) && now !== undefined && !passes(now));
  const newlyRed = pick((old, now) => old === undefined && isFailed(now));
  return {
    broken: [...broken, ...newlyRed],
    repaired: pick((old, now) => isFailed(old) && passes(now)),
    redOnBoth: pick((old, now) => isFailed(old) && isFailed(now)),
    gone: pick((old, now) => old !== undefined && now === undefined && !isFileOf(old, after)),
    added: pick((old, now) => old === undefined && now !== undefined && !isFailed(now)),
    brokenAsWhole: !isRed(base) && isRed(head),
  };
}

/** A file that cannot be collected any more has one record in place of its tests; it is broken, and they are not gone. */
function isFileOf({ file }: TestCase, after: ReadonlyMap<string, TestCase>): boolean {
  return after.get(file)?.status === "error" || after.get(file)?.status === "failed";
}

function casesOf({ report }: TestRun): Map<string, TestCase> {
  return new Map(report?.tests.map((test) => [test.id, test]));
}

function passes(test: TestCase | undefined): boolean {
  return test?.status === "passed" || test?.status === "xfailed";
}

function isFailed(test: TestCase | undefined): boolean {
  return test?.status === "failed" || test?.status === "error";
}

const messageChars = 300;

function differenceOf(id: string, test: TestCase | undefined, after: TestCase | undefined): TestDifference {
  const message =
    after?.assertion == null
      ? line((after?.exception && `${after.exception.type}: ${after.exception.message}`) || (after?.message ?? ""))
      : `produced ${line(after.assertion.produced)}\nexpected ${line(after.assertion.expected)}`;
  return { id, file: test?.file ?? "", message };
}

/** On one line, with its inner white space, which may be what matters. */
function line(text: string): string {
  const flat = text.trim().replace(/\r?\n/g, "⏎");
  return flat.length > messageChars ? `${flat.slice(0, messageChars - 1)}…` : flat;
}
