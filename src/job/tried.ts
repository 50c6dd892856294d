import { actionTitle, iterationsOf } from "../pull-request/iteration-trace.ts";
import { codeBlock, codeSpan, plainMarkdown, tableCell } from "../pull-request/neutralise.ts";
import { frozenTest } from "../pull-request/reported.ts";
import type { TraceRecord } from "../trace/event.ts";

/** Looking and reading tell nobody what was tried. */
const trials = new Set(["execute", "run_tests", "shell", "edit_file"]);

const shownTrials = 8;
const shownReason = 2_000;
const shownTest = 8_000;

/**
 * What an issue's people learn of a run that repaired nothing: the test that shows the report, when one was found; else what was tried and
 * what the model says is missing. Markdown; undefined when nothing was tried.
 */
export function triedText(records: readonly TraceRecord[]): string | undefined {
  const test = frozenTest(records);
  if (test !== null) {
    const { path, text } = test;
    return `This test shows what was reported; it would be ${codeSpan(path)}:\n\n${codeBlock(cut(text, shownTest))}`;
  }
  const sections = [
    section("What was tried", trialsIn(records)),
    section("Tests that were refused", refusals(records)),
  ];
  const text = [...sections, ...missing(records)].filter((each) => each !== "").join("\n\n");
  return text === "" ? undefined : text;
}

function trialsIn(records: readonly TraceRecord[]): string[] {
  const all = iterationsOf(records).flatMap(({ turn, observations }) =>
    turn.toolCalls
      .filter(({ name }) => trials.has(name))
      .map((call) => {
        const shown = observations.find(({ toolCallId }) => toolCallId === call.id)?.shown ?? "";
        return `- ${codeSpan(actionTitle(call), 100)}: ${tableCell(opening(shown), 160)}`;
      }),
  );
  const left = all.length - shownTrials;
  return left > 0 ? [...all.slice(0, shownTrials), `- and ${left} more`] : all;
}

/** The first line says how it went, the second one what came out. */
function opening(text: string): string {
  return text.trim().split("\n").slice(0, 2).join(" · ");
}

function refusals(records: readonly TraceRecord[]): string[] {
  return records.flatMap((record) =>
    record.type === "reproduction" ? [`- ${tableCell(record.reasons[0]?.split("\n")[0] ?? "", 300)}`] : [],
  );
}

/** The model's own words. */
function missing(records: readonly TraceRecord[]): string[] {
  const last = records.findLast((record) => record.type === "turn");
  const call = last?.type === "turn" ? last.toolCalls.find(({ name }) => name === "give_up") : undefined;
  const reason = call === undefined ? "" : reasonIn(call.arguments);
  return reason === ""
    ? []
    : [`**What is missing, in the model's words**\n\n${plainMarkdown(cut(reason, shownReason))}`];
}

function reasonIn(text: string): string {
  try {
    const { reason } = JSON.parse(text) as { reason?: unknown };
    return typeof reason === "string" ? reason.trim() : "";
  } catch {
    return "";
  }
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : `**${title}**\n\n${lines.join("\n")}`;
}

function cut(text: string, chars: number): string {
  return text.length <= chars ? text : `${text.slice(0, chars).trimEnd()}\n…`;
}
