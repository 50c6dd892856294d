import { type TextSpan, type Tools, withoutTrailer } from "./text-call.ts";

/**
 * A ReAct step from just after `Action:`, as in https://arxiv.org/abs/2210.03629 and LangChain's form of it: the tool's name, then
 * `Action Input:` with JSON up to the next step. Null when it names no tool or has no input.
 */
export function reactCall(text: string, start: number, tools: Tools): TextSpan | null {
  const head = /^[`*"']{0,3}([\w-]{1,64})[`*"']{0,3}[ \t]*\r?\n\s*\**Action Input:\**/.exec(
    text.slice(start, start + 300),
  );
  const name = head?.[1];
  if (head === null || name === undefined || !tools.has(name)) return null;
  const from = start + head[0].length;
  const next = /^[ \t]*\**(?:Thought|Action|Observation|Final Answer):/m.exec(text.slice(from));
  const end = next === null ? text.length : from + next.index;
  return { end, calls: [{ name, arguments: withoutTrailer(withoutFence(text.slice(from, end).trim())) }] };
}

function withoutFence(input: string): string {
  if (!input.startsWith("```")) return input;
  const body = input.slice(input.indexOf("\n") + 1);
  return body.endsWith("```") ? body.slice(0, -3) : body;
}
