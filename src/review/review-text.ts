import { codeSpan, plainMarkdown, tableCell } from "../pull-request/neutralise.ts";
import type { Bump } from "./bumps.ts";
import type { ChangeKind } from "./classify-change.ts";
import type { Concern } from "./concerns.ts";
import type { Facts } from "./facts.ts";
import type { DiffLines } from "./findings.ts";
import { summaryOfRun } from "./run-words.ts";

/** One comment on a line of the diff. */
export interface InlineComment {
  readonly path: string;
  readonly line: number;
  readonly body: string;
}

/** A review as it is posted. */
export interface ReviewText {
  /** The one line that says the most. */
  readonly headline: string;
  readonly body: string;
  readonly comments: readonly InlineComment[];
}

const shownBumps = 8;
const shownSites = 5;
const shownFiles = 5;

/** Puts a review into words, facts first. What has no line on the diff is said in the body. */
export function reviewText(facts: Facts, concerns: readonly Concern[], lines: DiffLines): ReviewText {
  const isInline = ({ place }: Concern) => place !== null && lines.get(place.file)?.has(place.line) === true;
  const comments = concerns.filter(isInline).map(({ place, text }) => {
    return { path: place?.file ?? "", line: place?.line ?? 0, body: text };
  });
  const rest = concerns.filter((concern) => !isInline(concern)).map(inBody);
  const headline = headlineOf(concerns, facts);
  const body = [`**${headline}**`, factsText(facts), ...rest].filter((part) => part !== "").join("\n\n");
  return { headline, body, comments };
}

function inBody({ place, text }: Concern): string {
  if (place === null) return text;
  return `${codeSpan(place.line === 0 ? place.file : `${place.file}:${place.line}`)}: ${text}`;
}

function headlineOf(concerns: readonly Concern[], { runs }: Facts): string {
  const has = (kind: Concern["kind"]) => concerns.some((concern) => concern.kind === kind);
  const broken = runs?.comparison.broken.length ?? 0;
  if (has("broken") && broken > 0)
    return `${broken === 1 ? "1 test is" : `${broken} tests are`} red on the head and not on the base.`;
  if (has("broken")) return "The tests are red on the head and not on the base.";
  if (has("install")) return "The head's packages cannot be installed.";
  if (has("lockfile")) return "Manifest and lockfile do not fit together.";
  if (has("extra")) return "This changes more than versions.";
  if (concerns.some(({ kind, isSerious }) => kind === "tests" && isSerious)) return "The changed tests hide a failure.";
  if (has("finding")) return "Running the change showed a problem.";
  return has("tests") ? "The change touches what its tests check." : "Nothing to object to.";
}

const kinds: Readonly<Record<ChangeKind, string>> = {
  lockfile: "lockfiles only",
  pin: "versions only",
  manifest: "what the project depends on, and more than versions",
  workflow: "workflows",
  code: "code",
};

/** What kind of a change it is, in a line. */
export function kindLine({ classification, change }: Facts): string {
  const paths = change.files.map(({ file }) => codeSpan(file.path, 100));
  const more = paths.length > shownFiles ? ` and ${paths.length - shownFiles} more files` : "";
  return `Changes ${kinds[classification.kind]}: ${paths.slice(0, shownFiles).join(", ")}${more}.`;
}

/** The table of base against head, then what changes and who uses it. */
export function factsText(facts: Facts): string {
  return [runTable(facts), bumpLines(facts), gapLine(facts)].filter((part) => part !== "").join("\n\n");
}

function runTable({ runs, command, baseSha, headSha }: Facts): string {
  if (runs === null) return "";
  const rows = [
    `| base ${codeSpan(baseSha.slice(0, 7))} | ${summaryOfRun(runs.base)} |`,
    `| head ${codeSpan(headSha.slice(0, 7))} | ${summaryOfRun(runs.head)} |`,
  ];
  if (runs.oldTests !== null) rows.push(`| head, with the base's tests | ${summaryOfRun(runs.oldTests.run)} |`);
  const { repaired, redOnBoth, gone } = runs.comparison;
  const notes = [
    repaired.length > 0 ? `${repaired.length} red on the base pass on the head` : "",
    redOnBoth.length > 0 ? `${redOnBoth.length} red on both` : "",
    gone.length > 0 ? `${gone.length} not there any more: ${codeSpan(gone[0]?.id ?? "", 100)}` : "",
    runs.wavering.length > 0 ? `${runs.wavering.length} red once and green when run again` : "",
  ].filter((note) => note !== "");
  const after = notes.length === 0 ? [] : ["", `${notes.join("; ")}.`];
  return [`| | ${codeSpan(command ?? "tests", 80).replace(/\|/g, "\\|")} |`, "|---|---|", ...rows, ...after].join("\n");
}

function bumpLines({ bumps, callSites }: Facts): string {
  const direct = bumps.filter((bump) => bump.direct);
  const lines = direct.slice(0, shownBumps).map((bump) => `${bumpText(bump)}${sitesText(bump, callSites)}`);
  if (direct.length > shownBumps) lines.push(`and ${direct.length - shownBumps} more packages`);
  const others = bumps.length - direct.length;
  if (others > 0) lines.push(`${others} ${others === 1 ? "package" : "packages"} that others ask for`);
  return lines.map((line) => `- ${line}`).join("\n");
}

function bumpText({ name, from, to }: Bump): string {
  if (from === null) return `${codeSpan(name)} ${tableCell(to ?? "", 40)} is new`;
  if (to === null) return `${codeSpan(name)} is gone`;
  return `${codeSpan(name)} ${tableCell(from, 40)} → ${tableCell(to, 40)}`;
}

function sitesText({ name }: Bump, all: Facts["callSites"]): string {
  const sites = all.find((each) => each.name === name)?.sites;
  if (sites === undefined) return "";
  const own = sites.filter(({ isTest }) => !isTest);
  if (sites.length === 0) return ", not imported by any file here";
  const shown = (own.length > 0 ? own : sites).slice(0, shownSites);
  const places = shown.map(({ file, line }) => codeSpan(`${file}:${line}`)).join(", ");
  const left = sites.length - shown.length;
  const verb = shown.some(({ isCall }) => isCall) ? "called" : "imported";
  return `, ${verb} at ${places}${left > 0 ? ` and ${left} more` : ""}`;
}

function gapLine({ gap, runs }: Facts): string {
  const why = gap ?? runs?.problem?.detail ?? null;
  return why === null ? "" : `Not run: ${plainMarkdown(why.slice(0, 800))}.`;
}
