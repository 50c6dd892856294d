import { hunkLines } from "../checkout/changed-files.ts";
import { codeBlock, codeSpan, plainMarkdown } from "../pull-request/neutralise.ts";
import type { RunComparison } from "./compare-runs.ts";
import type { Facts } from "./facts.ts";
import type { HeldFinding } from "./findings.ts";

/** Something that a review says, with the place that it is about. `text` is Markdown of ours. */
export interface Concern {
  readonly kind: "broken" | "install" | "lockfile" | "extra" | "tests" | "finding";
  readonly text: string;
  /** Null for what belongs to no file. */
  readonly place: { readonly file: string; readonly line: number } | null;
  /** Whether it alone is a reason to ask for changes. */
  readonly isSerious: boolean;
}

/** Everything that there is to say about a pull request; empty when there is nothing. */
export function concernsOf(facts: Facts, findings: readonly HeldFinding[]): Concern[] {
  return [...broken(facts), ...disagreements(facts), ...extras(facts), ...testChanges(facts), ...findings.map(found)];
}

function broken({ runs, brokenInstall }: Facts): Concern[] {
  if (brokenInstall !== null) {
    const text = `The packages of the base can be installed, and those of the head cannot: ${plainMarkdown(brokenInstall.slice(0, mostReason))}.`;
    return [{ kind: "install", text, place: null, isSerious: true }];
  }
  if (runs === null || runs.problem !== null) return [];
  return breaks(runs.comparison)
    ? [{ kind: "broken", text: brokenText(runs.comparison), place: null, isSerious: true }]
    : [];
}

export function breaks({ broken: tests, brokenAsWhole }: RunComparison): boolean {
  return tests.length > 0 || brokenAsWhole;
}

const shownTests = 5;
/** An installer may have written pages. */
const mostReason = 800;

function brokenText({ broken: tests }: RunComparison): string {
  if (tests.length === 0) return "No single test says so; the run as a whole ends badly.";
  return testList(tests);
}

/** Ids with what was produced and expected, in a block, since white space may be all that differs. */
function testList(tests: RunComparison["broken"]): string {
  const shown = tests
    .slice(0, shownTests)
    .map(({ id, message }) => (message === "" ? id : indented(`${id}\n${message}`)));
  const more = tests.length > shownTests ? [`and ${tests.length - shownTests} more`] : [];
  return codeBlock([...shown, ...more].join("\n"));
}

function disagreements({ disagreements: all, change }: Facts): Concern[] {
  return all.slice(0, 10).map(({ file, anchor, message }) => {
    const hunks = change.files.find((each) => each.file.path === file)?.file.hunks ?? "";
    const line = hunkLines(hunks).find(({ kind, text }) => kind !== "removed" && text.includes(anchor))?.line;
    const place = { file, line: line ?? 0 };
    return { kind: "lockfile", text: `${plainMarkdown(message)}.`, place, isSerious: true };
  });
}

/** What a bump of versions does not explain, where it is a bot's only business. */
function extras({ classification, isBumpOnly }: Facts): Concern[] {
  const { beyondPins } = classification;
  if (!isBumpOnly || beyondPins.length === 0) return [];
  const files = beyondPins.slice(0, 5).map(({ path }) => codeSpan(path));
  const more = beyondPins.length > 5 ? ` and ${beyondPins.length - 5} more` : "";
  const text = `Changes more than versions: ${files.join(", ")}${more}.`;
  return [{ kind: "extra", text, place: null, isSerious: true }];
}

/** Weakened tests are serious where the old ones show that something broke. */
function testChanges({ testChanges: all, runs }: Facts): Concern[] {
  const hidden = runs?.oldTests == null || runs.problem !== null ? [] : runs.oldTests.comparison.broken;
  const isSerious = hidden.length > 0;
  const changes = all.slice(0, 10).map(({ rule, file, line, message }): Concern => {
    return { kind: "tests", text: `${codeSpan(rule)} ${plainMarkdown(message)}.`, place: { file, line }, isSerious };
  });
  if (!isSerious) return changes;
  const text = `With the tests as they are on the base, the head's code fails:\n\n${testList(hidden)}`;
  return [{ kind: "tests", text, place: null, isSerious }, ...changes];
}

/** Message, and the fact under it: what was run, and what it showed. */
function found({ file, line, message, run, shows }: HeldFinding): Concern {
  const { input } = run;
  const shown = input === null ? [] : [codeBlock(input.length > 600 ? `${input.slice(0, 600)}…` : input)];
  const text = [
    plainMarkdown(message),
    "",
    `Run ${run.number} (${run.what}):`,
    ...shown,
    "gave",
    codeBlock(shows),
  ].join("\n");
  return { kind: "finding", text, place: { file, line }, isSerious: true };
}

/** All lines but the first stand two spaces in. */
function indented(text: string): string {
  return text.replaceAll("\n", "\n  ");
}
