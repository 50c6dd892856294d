import { z } from "zod";
import { schemaComplaint } from "./json-schema.ts";
import { type ChatMessage, type ChatRequest, chatRequestSchema } from "./request-schema.ts";

export type Checked = { readonly request: ChatRequest } | { readonly complaint: string };

export interface Strictness {
  /** Many chat templates want user and assistant in turn, system first, and nothing else. */
  readonly alternation: boolean;
}

/** What a strict endpoint would object to, in words that no client mistakes for a missing feature. */
export function checkedRequest(body: unknown, strictness: Strictness): Checked {
  const parsed = chatRequestSchema.safeParse(body);
  if (!parsed.success) return { complaint: `invalid request: ${z.prettifyError(parsed.error)}` };
  const request = parsed.data;
  const complaint =
    fieldComplaint(request) ??
    toolsComplaint(request) ??
    orderComplaint(request.messages) ??
    callsComplaint(request.messages) ??
    (strictness.alternation ? alternationComplaint(request.messages) : null) ??
    (allWellFormed(body) ? null : "a string holds half a surrogate pair");
  return complaint === null ? { request } : { complaint };
}

function fieldComplaint(request: ChatRequest): string | null {
  if (request.stream_options !== undefined && request.stream !== true) return "stream_options without stream";
  const limits = [request.max_tokens, request.max_completion_tokens].filter((limit) => limit !== undefined);
  return limits.length === 1 ? null : "exactly one limit of the answer is wanted";
}

function toolsComplaint({ tools = [] }: ChatRequest): string | null {
  const names = tools.map((tool) => tool.function.name);
  if (new Set(names).size !== names.length) return "two definitions of one name";
  for (const tool of tools) {
    const complaint = schemaComplaint(tool.function.parameters);
    if (complaint !== null) return `the schema of ${tool.function.name}: ${complaint}`;
  }
  return null;
}

function orderComplaint(messages: readonly ChatMessage[]): string | null {
  if (messages.findLastIndex(({ role }) => role === "system") > 0) return "a system message after the first place";
  if (!messages.some(({ role }) => role === "user")) return "no user message";
  return messages.at(-1)?.role === "assistant" ? "the last message is the assistant's" : null;
}

/** Each call is answered once, right after the message that made it, and nothing else is answered. */
function callsComplaint(messages: readonly ChatMessage[]): string | null {
  const seen = new Set<string>();
  let open = new Set<string>();
  for (const message of messages) {
    if (message.role === "tool") {
      if (!open.delete(message.tool_call_id)) return `an answer to ${message.tool_call_id}, which is no open call`;
      continue;
    }
    if (open.size > 0) return `no answer to the calls ${[...open].join(", ")}`;
    if (message.role !== "assistant") continue;
    if (message.content === null && message.tool_calls === undefined)
      return "an assistant message without content and calls";
    for (const call of message.tool_calls ?? []) {
      if (seen.has(call.id)) return `two calls with the id ${call.id}`;
      if (!isJsonObject(call.function.arguments)) return `the call ${call.id} has arguments that are no JSON object`;
      seen.add(call.id);
    }
    open = new Set((message.tool_calls ?? []).map((call) => call.id));
  }
  return open.size === 0 ? null : `no answer to the calls ${[...open].join(", ")}`;
}

function alternationComplaint(messages: readonly ChatMessage[]): string | null {
  const turns = messages.filter(({ role }) => role !== "system");
  return turns.every(({ role }, index) => role === (index % 2 === 0 ? "user" : "assistant"))
    ? null
    : "user and assistant must alternate";
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function allWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  return typeof value !== "object" || value === null || Object.values(value).every(allWellFormed);
}
