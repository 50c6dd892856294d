import { isRecord, jsonText, jsonValue } from "./json.ts";
import { type TextCall, type Tools, withoutTrailer } from "./text-call.ts";

const nameKeys = ["name", "tool", "tool_name", "function", "function_name", "action"] as const;
const argumentKeys = ["arguments", "parameters", "args", "input", "action_input", "tool_input"] as const;

/**
 * The calls in one piece of JSON: an object with a tool's name and arguments, OpenAI's own form with `function`, a list of these, a list
 * under `tool_calls`, or several objects one after the other. JSON that is broken, yet names a tool and has arguments, is a call whose
 * `arguments` are the whole piece.
 */
export function jsonCalls(text: string, tools: Tools): readonly TextCall[] {
  if (!/^\s*[{[]/.test(text)) return [];
  const piece = withoutTrailer(text);
  const value = jsonValue(piece);
  if (value !== undefined) return callsOf(value, tools);
  const listed = lineByLine(piece);
  if (listed !== null) return listed.flatMap((item) => callsOf(item, tools));
  return brokenCall(piece, tools);
}

/** The values of several objects, each begun on a line of its own; null when one of them is none. */
function lineByLine(piece: string): unknown[] | null {
  const values: unknown[] = [];
  for (const line of piece.split(/\n(?=[ \t]{0,40}\{)/)) {
    const value = jsonValue(line);
    if (value === undefined) return null;
    values.push(value);
  }
  return values;
}

function callsOf(value: unknown, tools: Tools): readonly TextCall[] {
  if (Array.isArray(value)) return value.flatMap((item) => callOf(item, tools) ?? []);
  const list = isRecord(value) ? value["tool_calls"] : undefined;
  if (Array.isArray(list)) return list.flatMap((item) => callOf(item, tools) ?? []);
  return callOf(value, tools) ?? [];
}

function callOf(item: unknown, tools: Tools): TextCall[] | null {
  const value = isRecord(item) && isRecord(item["function"]) ? item["function"] : item;
  if (!isRecord(value)) return null;
  const name = nameKeys
    .map((key) => value[key])
    .find((candidate) => typeof candidate === "string" && tools.has(candidate));
  const key = argumentKeys.find((candidate) => candidate in value);
  if (typeof name !== "string" || key === undefined) return null;
  const given = value[key];
  // Other keys occur in ordinary configuration, such as a bundler's `name` and `input`.
  if (key !== "arguments" && !isRecord(given)) return null;
  return [{ name, arguments: typeof given === "string" ? given : jsonText(given) }];
}

const nameInBroken = new RegExp(`["'](?:${nameKeys.join("|")})["']\\s{0,20}:\\s{0,20}["']([\\w-]{1,64})["']`);
const argumentsInBroken = new RegExp(`["'](?:${argumentKeys.join("|")})["']\\s{0,20}:`);

function brokenCall(piece: string, tools: Tools): TextCall[] {
  const name = nameInBroken.exec(piece)?.[1];
  if (name === undefined || !tools.has(name) || !argumentsInBroken.test(piece)) return [];
  return [{ name, arguments: piece }];
}
