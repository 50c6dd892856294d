import type { ToolDefinition } from "./model.ts";
import type { TextCall, TextSpan, Tools } from "./text-call.ts";
import { jsonCalls } from "./text-json-call.ts";
import { reactCall } from "./text-react-call.ts";
import { functionTagCall } from "./text-tag-call.ts";

export interface TextAnswer {
  /** The answer without its calls and without results that the model made up. */
  readonly text: string;
  readonly calls: readonly TextCall[];
}

/**
 * Finds tool calls in the text of an answer, as models without trained or configured tool support write them: fenced JSON, `<tool_call>`
 * tags, `<function=name>` tags, ReAct's `Action:` and `Action Input:`, or JSON alone. Only names of the given tools count; prose, other
 * code and what a model only thinks (`<think>`) are never calls. Malformed JSON stays as it is, so that the model can be told.
 * Linear in the length of the text.
 */
export function textToolCalls(answer: string, definitions: readonly ToolDefinition[]): TextAnswer {
  const tools: Tools = new Map(definitions.map((tool) => [tool.name, tool]));
  const thought = endOfThought(answer);
  const spoken = answer.slice(thought);
  const whole = bareCalls(spoken, tools);
  if (whole.length > 0) return { text: answer.slice(0, thought).trim(), calls: whole };
  const { kept, calls } = scan(spoken, tools);
  return calls.length === 0 ? { text: answer, calls } : { text: (answer.slice(0, thought) + kept).trim(), calls };
}

/** Where a call may begin: a fence at the start of a line, one of the tags, or an action at the start of a line. */
const openers = /^[ \t]*(`{3,}|~{3,})([^\n`]*)$|<tool_call>|<function=|^[ \t]*\**Action:\**[ \t]*(?=\S)/gm;

/** Results are the endpoint's to give: what follows one of these was made up. */
const madeUp = /<tool_response\b|^[ \t]*\**Observation:/m;

/** More places than this are looked at in no answer, so that hostile text cannot make the scan quadratic. */
const mostOpeners = 100;

function scan(text: string, tools: Tools): { kept: string; calls: TextCall[] } {
  const calls: TextCall[] = [];
  let kept = "";
  let position = 0;
  for (let seen = 0; seen < mostOpeners; seen += 1) {
    openers.lastIndex = position;
    const opener = openers.exec(text);
    const gap = text.slice(position, opener?.index ?? text.length);
    const invented = calls.length === 0 ? null : madeUp.exec(gap);
    if (invented !== null) return { kept: kept + gap.slice(0, invented.index), calls };
    kept += gap;
    if (opener === null) return { kept, calls };
    const span = spanAt(text, opener, tools);
    if (span.calls.length === 0) kept += text.slice(opener.index, span.end);
    position = span.end;
    calls.push(...span.calls);
  }
  return { kept: kept + text.slice(position), calls };
}

function spanAt(text: string, opener: RegExpExecArray, tools: Tools): TextSpan {
  const start = opener.index + opener[0].length;
  const fence = opener[1];
  if (fence !== undefined) return fenced(text, start, fence, (opener[2] ?? "").trim().toLowerCase(), tools);
  if (opener[0] === "<tool_call>") return tagged(text, start, tools);
  if (opener[0] === "<function=") return functionTagCall(text, start, tools) ?? { end: start, calls: [] };
  return reactCall(text, start, tools) ?? { end: start, calls: [] };
}

/** Languages of a fence that may hold a call; in others a call is an example. */
const callLanguages = new Set(["", "json", "jsonc", "tool_call", "tool_calls", "tool", "xml", "text"]);

function fenced(text: string, start: number, fence: string, language: string, tools: Tools): TextSpan {
  const closing = new RegExp(`^[ \\t]*${fence[0]}{${fence.length},}[ \\t\\r]*$`, "m").exec(text.slice(start));
  const end = closing === null ? text.length : start + closing.index + closing[0].length;
  const body = text.slice(start, closing === null ? text.length : start + closing.index);
  if (!callLanguages.has(language)) return { end, calls: [] };
  const direct = jsonCalls(body, tools);
  return { end, calls: direct.length > 0 ? direct : tagsWithin(body, tools) };
}

function tagsWithin(body: string, tools: Tools): readonly TextCall[] {
  return /^\s*<(?:tool_call>|function=)/.test(body) ? scan(body, tools).calls : [];
}

function tagged(text: string, start: number, tools: Tools): TextSpan {
  const close = text.indexOf("</tool_call>", start);
  const body = text.slice(start, close === -1 ? text.length : close);
  const end = close === -1 ? text.length : close + "</tool_call>".length;
  const tag = /^\s*<function=/.exec(body);
  const calls = tag === null ? jsonCalls(body, tools) : (functionTagCall(body, tag[0].length, tools)?.calls ?? []);
  return calls.length > 0 ? { end, calls } : { end: start, calls: [] };
}

/** An answer that is JSON and nothing else. */
function bareCalls(text: string, tools: Tools): readonly TextCall[] {
  const piece = text.trim();
  return /^[{[]/.test(piece) && /[}\]]$/.test(piece) ? jsonCalls(piece, tools) : [];
}

/** Chat templates may open the thought themselves, so that only its end is seen; a thought without an end is all there is. */
function endOfThought(text: string): number {
  const close = text.indexOf("</think>");
  if (close !== -1) return close + "</think>".length;
  return /^\s*<think>/.test(text) ? text.length : 0;
}
