import type { ToolDefinition } from "./model.ts";

/** A call that a model wrote as text; `arguments` is what it wrote, and may be no JSON. */
export interface TextCall {
  readonly name: string;
  readonly arguments: string;
}

/** Calls found in a text, and where the text goes on after them. */
export interface TextSpan {
  readonly end: number;
  readonly calls: readonly TextCall[];
}

export type Tools = ReadonlyMap<string, ToolDefinition>;

/** The value of a JSON text; undefined when it is none. */
export function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The JSON text of a parsed value; empty, which is no JSON, for one so deep that it can be read but not written. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return "";
  }
}

/** The text without what a model added after its JSON; unchanged when there is no JSON to be had that way. */
export function withoutTrailer(text: string): string {
  const piece = text.trim();
  if (jsonValue(piece) !== undefined) return piece;
  const cut = piece.slice(0, Math.max(piece.lastIndexOf("}"), piece.lastIndexOf("]")) + 1);
  return jsonValue(cut) === undefined ? piece : cut;
}

/** A JSON object, as opposed to a list or a single value. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
