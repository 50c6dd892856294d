import type { TraceRecord } from "../trace/event.ts";
import { codeBlock, codeSpan, plainMarkdown, tableCell } from "./neutralise.ts";

type Turn = Extract<TraceRecord, { type: "turn" }>;
type Seen = Extract<TraceRecord, { type: "observation" }>;

/** One turn of the model with what its tool calls gave. */
export interface Iteration {
  readonly turn: Turn;
  readonly observations: readonly Seen[];
}

const shownAction = 1_500;
const shownThought = 2_000;
const shownRows = 60;
const shownObservation = 1_200;

/** The iterations of a trace, in order. */
export function iterationsOf(records: readonly TraceRecord[]): Iteration[] {
  const observations = records.filter((record): record is Seen => record.type === "observation");
  return records
    .filter((record): record is Turn => record.type === "turn")
    .map((turn) => ({ turn, observations: observations.filter((seen) => seen.iteration === turn.iteration) }));
}

/** One row for each iteration: what was done, what came of it, how long it took, what it cost in tokens. */
export function iterationTable(iterations: readonly Iteration[]): string {
  const rows = iterations.slice(0, shownRows).map(({ turn, observations }) => {
    const actions = turn.toolCalls.slice(0, 4).map((call) => codeSpan(actionTitle(call), 70));
    const action = actions.join(" ") || "no tool call";
    const result = tableCell(observations.map((seen) => opening(seen.shown)).join(" · "), 110);
    const ms = turn.durationMs + observations.reduce((sum, seen) => sum + seen.durationMs, 0);
    const { inputTokens, outputTokens } = turn.usage;
    return `| ${turn.iteration} | ${action.replace(/\|/g, "\\|")} | ${result} | ${seconds(ms)} | ${inputTokens} + ${outputTokens} |`;
  });
  return ["| # | action | result | time | tokens in + out |", "|---|---|---|---|---|", ...rows].join("\n");
}

/** One iteration folded away: thought, action, observation. */
export function iterationDetails({ turn, observations }: Iteration): string {
  const title = turn.toolCalls.map((call) => call.name).join(", ") || "no tool call";
  const parts = turn.text.trim() === "" ? [] : [`**Thought.** ${plainMarkdown(cut(turn.text.trim(), shownThought))}`];
  for (const call of turn.toolCalls) {
    parts.push(`**Action.** ${codeSpan(call.name)}`, codeBlock(cut(readableArguments(call.arguments), shownAction)));
    const seen = observations.find((each) => each.toolCallId === call.id);
    if (seen !== undefined) parts.push("**Observation.**", codeBlock(cut(seen.shown, shownObservation)));
  }
  return `<details><summary>Iteration ${turn.iteration}: ${plainMarkdown(title)}</summary>\n\n${parts.join("\n\n")}\n\n</details>`;
}

/** A tool call in a few words: its name and what it is about. */
export function actionTitle(call: Turn["toolCalls"][number]): string {
  const first = Object.values(parsed(call.arguments))[0];
  const detail = call.name === "execute" ? String(parsed(call.arguments)["code"] ?? "") : String(first ?? "");
  return call.name === "finish" ? "finish" : `${call.name} ${detail}`;
}

/** Arguments with code in them are read best as `name: value` with real line breaks. */
function readableArguments(text: string): string {
  const entries = Object.entries(parsed(text));
  if (entries.length === 0) return text;
  return entries
    .map(([name, value]) => {
      const shown = typeof value === "string" ? value : JSON.stringify(value);
      return shown.includes("\n") ? `${name}:\n${shown.replace(/^/gm, "  ")}` : `${name}: ${shown}`;
    })
    .join("\n");
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** The first line says how it went, the second one what came out. */
function opening(text: string): string {
  return text.trim().split("\n").slice(0, 2).join(" · ");
}

function cut(text: string, chars: number): string {
  return text.length <= chars
    ? text
    : `${text.slice(0, chars).trimEnd()}\n… ${text.length - chars} more characters in the trace`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
