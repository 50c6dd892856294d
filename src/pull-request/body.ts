import { quote } from "shell-quote";
import type { Spend } from "../model/budget.ts";
import type { TraceRecord } from "../trace/event.ts";
import type { Repair } from "../verify/repair.ts";
import { iterationDetails, iterationsOf, iterationTable } from "./iteration-trace.ts";
import { codeBlock, codeSpan, plainLine, plainMarkdown } from "./neutralise.ts";
import { proofTable } from "./proof-table.ts";
import { frozenTest, type ReportedIssue, reported } from "./reported.ts";
import { spentWords } from "./spent-line.ts";

/** What a pull request's text is made of. */
export interface BodyInput {
  /** Id of the run: its trace is kept under this name. */
  readonly run: string;
  readonly repair: Repair;
  readonly records: readonly TraceRecord[];
  readonly spend: Spend;
  readonly model: string;
  readonly durationMs: number;
  /** The commit that was repaired. */
  readonly startCommit: string;
  readonly branch: string;
  readonly command: string;
  /** The failing checks, by name, with their address when it is on the same host. */
  readonly checks: readonly { readonly name: string; readonly url: string | null }[];
  /** Set only for a pull request into the default branch that answers an issue. */
  readonly issue?: ReportedIssue | undefined;
  /** Says that tests had no ids, so that only the exit status is proven. */
  readonly exitStatusOnly: boolean;
}

/** GitHub refuses bodies above 65,536 characters; the rest is left for its own additions. */
const longestBody = 60_000;
const shownCrash = 3_000;
const shownWords = 4_000;
const shownCommand = 1_000;
const shownChecks = 20;
const longestTitle = 72;

/** Found again by this after a crash; it stands in the first line, where no text from outside can come. */
function runMarker(run: string): string {
  return `<!-- autolith:run=${run} -->`;
}

/** The pull request's text, for a maintainer who decides whether to merge. */
export function pullRequestBody(input: BodyInput): string {
  const head = [
    runMarker(input.run),
    ...(input.issue === undefined ? [] : [`Fixes #${input.issue.number}`]),
    section("What was wrong", wrong(input)),
    section("What changed", changed(input.repair)),
    section("Proof", proof(input)),
    section("Reproduce", reproduce(input)),
  ].join("\n\n");
  const iterations = iterationsOf(input.records);
  const count = `${iterations.length} ${iterations.length === 1 ? "iteration" : "iterations"}`;
  const spend = `${spent(input)}${earlier(input.spend.iterations, iterations.length)}${estimated(input.records)}`;
  const table = section(`How it was found (${count})`, `${spend}\n\n${iterationTable(iterations)}`);
  return withDetails(`${head}\n\n${table}`, iterations.map(iterationDetails));
}

/** The title: what was wrong, in a line that cannot command, mention or skip anything. */
export function pullRequestTitle(repair: Repair): string {
  const first = plainLine(repair.summary.trim().split(/\n|(?<=[.!?])\s/)[0] ?? "").replace(/\.$/, "");
  return first.length > longestTitle
    ? `${first.slice(0, longestTitle - 1).trimEnd()}…`
    : first || "Repair the failing tests";
}

function section(title: string, text: string): string {
  return `## ${title}\n\n${text}`;
}

function wrong(input: BodyInput): string {
  const crash = input.records.find((record) => record.type === "crash")?.text ?? "";
  const { issue, records, startCommit } = input;
  const where = issue === undefined ? redChecks(input) : reported(issue, records, startCommit);
  return [words(input.repair.rootCause), where, ...crashBlocks(crash)].join("\n\n");
}

/** The first failing test in full view; the others are mostly more of the same, so they are folded away. */
function crashBlocks(crash: string): string[] {
  if (crash === "") return [];
  const starts = [...crash.matchAll(/^(?:FAILED|ERROR) /gm)].map(({ index }) => index);
  const second = starts[1];
  if (second === undefined) return [codeBlock(cut(crash, shownCrash))];
  const rest = codeBlock(cut(crash.slice(second), shownCrash));
  const title = starts.length === 2 ? "The other failing test" : "More failing tests";
  return [
    codeBlock(cut(crash.slice(0, second).trimEnd(), shownCrash)),
    `<details><summary>${title}</summary>\n\n${rest}\n\n</details>`,
  ];
}

function changed({ summary, patch }: Repair): string {
  const files = patch.map(({ path, kind }) => `${codeSpan(path)}${kind === "delete" ? " (deleted)" : ""}`);
  return `${words(summary)}\n\n${files.length === 1 ? "File" : "Files"}: ${files.join(", ")}`;
}

function redChecks({ checks, startCommit }: BodyInput): string {
  const shown = checks.slice(0, shownChecks).map(({ name, url }) => {
    const label = codeSpan(name, 100);
    return url === null ? label : `[${label}](${url.replace(/\(/g, "%28").replace(/\)/g, "%29")})`;
  });
  if (checks.length > shown.length) shown.push(`${checks.length - shown.length} more`);
  const at = `at ${startCommit.slice(0, 12)}`;
  return shown.length === 0 ? `Red ${at}:` : `Red ${at}: ${shown.join(", ")}.`;
}

function proof(input: BodyInput): string {
  const note = input.exitStatusOnly
    ? "\n\nThe command reports no single tests, so its exit status is all that was compared."
    : "";
  const frozen = input.issue === undefined ? "" : ", and the frozen one";
  return `${proofTable(input.records)}\n\nThe container was fresh, without network; the tests are those of ${input.startCommit.slice(0, 12)}${frozen}. What the model said decided nothing.${note}`;
}

function reproduce(input: BodyInput): string {
  const test = input.issue === undefined ? null : frozenTest(input.records);
  const commands = [
    `git fetch origin && git checkout ${input.startCommit}`,
    ...(test === null ? [] : [`git checkout origin/${input.branch} -- ${quote([test.path])}`]),
    `${cut(input.command, shownCommand)}    # red`,
    `git checkout ${test === null ? "" : "--force "}origin/${input.branch}`,
    `${cut(input.command, shownCommand)}    # green`,
  ];
  return `${codeBlock(commands.join("\n"), "sh")}\n\nThe whole trace is kept by the Autolith that opened this, as run ${codeSpan(input.run)}.`;
}

function spent({ spend, model, durationMs }: BodyInput): string {
  return `Spent: ${spentWords(spend)}, ${(durationMs / 1000).toFixed(0)} s, model ${codeSpan(model, 80)}.`;
}

/** The figures are those of the whole job, the table is that of the attempt that got through. */
function earlier(all: number, shown: number): string {
  if (shown === 0 || all <= shown) return "";
  return ` That includes ${all - shown} of ${all} iterations in earlier attempts that broke off.`;
}

/** Nobody knows what an answer took whose receiver died. */
function estimated(records: readonly TraceRecord[]): string {
  const tokens = records.find((record) => record.type === "carried-over")?.estimatedTokens ?? 0;
  return tokens === 0 ? "" : ` What was under way when they ended is counted at an estimated ${tokens} tokens.`;
}

function words(text: string): string {
  return plainMarkdown(cut(text.trim(), shownWords)) || "Nothing was said.";
}

function cut(text: string, chars: number): string {
  return text.length <= chars ? text : `${text.slice(0, chars).trimEnd()}\n…`;
}

/** Adds folded details as long as they fit; says how many did not. */
function withDetails(text: string, details: readonly string[]): string {
  const room = longestBody - 200;
  let body = text;
  let added = 0;
  for (const each of details) {
    if (body.length + each.length + 2 > room) break;
    body += `\n\n${each}`;
    added += 1;
  }
  return added === details.length ? body : `${body}\n\n${details.length - added} more iterations are in the trace.`;
}
