import { isRecord, jsonText, jsonValue } from "./json.ts";
import type { ToolDefinition } from "./model.ts";
import type { TextSpan, Tools } from "./text-call.ts";

/**
 * The function tags of small local models, from just after `<function=`: `name>{…}</function>` (Llama) or
 * `name><parameter=key>value</parameter>…</function>` (Qwen Coder). A missing end is the end of the text. Null when it
 * names no tool, or goes on with neither.
 */
export function functionTagCall(text: string, start: number, tools: Tools): TextSpan | null {
  const head = /^\s*["']?([\w-]{1,64})["']?\s*>/.exec(text.slice(start, start + 200));
  const tool = head?.[1] === undefined ? undefined : tools.get(head[1]);
  if (head === null || tool === undefined) return null;
  const from = start + head[0].length;
  const close = text.indexOf("</function>", from);
  const body = text.slice(from, close === -1 ? text.length : close).trim();
  const end = close === -1 ? text.length : close + "</function>".length;
  if (body.startsWith("<parameter=")) return { end, calls: [{ name: tool.name, arguments: parameters(body, tool) }] };
  return body.startsWith("{") || (body === "" && close !== -1)
    ? { end, calls: [{ name: tool.name, arguments: body || "{}" }] }
    : null;
}

function parameters(body: string, tool: ToolDefinition): string {
  const values: Record<string, unknown> = {};
  // A parameter ends at its closing tag, at the next parameter, or at the end of the text.
  for (const piece of body.split(/<parameter=/).slice(1)) {
    const head = /^\s*["']?([\w-]{1,64})["']?\s*>/.exec(piece.slice(0, 200));
    if (head?.[1] === undefined) continue;
    const close = piece.lastIndexOf("</parameter>");
    const raw = piece.slice(head[0].length, close === -1 ? piece.length : close);
    values[head[1]] = typed(raw.replace(/^\r?\n/, "").replace(/\r?\n$/, ""), tool, head[1]);
  }
  return jsonText(values);
}

/** Values are text in this form; where the tool's schema wants another type, the text is read as JSON. */
function typed(text: string, tool: ToolDefinition, key: string): unknown {
  const properties = tool.parameters["properties"];
  const schema = isRecord(properties) ? properties[key] : undefined;
  if (!isRecord(schema) || acceptsText(schema)) return text;
  return jsonValue(text) ?? text;
}

function acceptsText(schema: Record<string, unknown>): boolean {
  return schema["type"] === "string" || "enum" in schema || schema["type"] === undefined;
}
