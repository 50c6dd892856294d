import { jsonValue } from "./json.ts";
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

/** The text without what a model added after its JSON; unchanged when there is no JSON to be had that way. */
export function withoutTrailer(text: string): string {
  const piece = text.trim();
  if (jsonValue(piece) !== undefined) return piece;
  const cut = piece.slice(0, Math.max(piece.lastIndexOf("}"), piece.lastIndexOf("]")) + 1);
  return jsonValue(cut) === undefined ? piece : cut;
}
