import type { ChatMessage, ChatRequest } from "./request-schema.ts";

/** One earlier call of the scripted model, with what came back. */
interface CallMade {
  readonly tool: string;
  /** The parsed arguments; null when they were no JSON object. */
  readonly arguments: Readonly<Record<string, unknown>> | null;
  readonly observation: string;
}

/** A request as a policy sees it, whether tools were native or described in the prompt. */
export interface Conversation {
  readonly request: ChatRequest;
  /** Everything said before the first answer. */
  readonly task: string;
  /** Answers given so far in this conversation. */
  readonly turns: number;
  readonly calls: readonly CallMade[];
  /** What came after the last answer: observations, or the loop's own words. */
  readonly latest: readonly string[];
}

export function conversationOf(request: ChatRequest): Conversation {
  const { messages } = request;
  const firstAnswer = messages.findIndex(({ role }) => role === "assistant");
  const lastAnswer = messages.findLastIndex(({ role }) => role === "assistant");
  const isText = request.tools === undefined;
  return {
    request,
    task: texts(firstAnswer === -1 ? messages : messages.slice(0, firstAnswer)).join("\n\n"),
    turns: messages.filter(({ role }) => role === "assistant").length,
    calls: isText ? textCalls(messages) : nativeCalls(messages),
    latest: texts(messages.slice(lastAnswer + 1)),
  };
}

function texts(messages: readonly ChatMessage[]): string[] {
  return messages.map(({ content }) => content ?? "");
}

function nativeCalls(messages: readonly ChatMessage[]): CallMade[] {
  const observations = new Map(
    messages.flatMap((message) => (message.role === "tool" ? [[message.tool_call_id, message.content]] : [])),
  );
  return messages.flatMap((message) =>
    message.role !== "assistant"
      ? []
      : (message.tool_calls ?? []).map((call) => ({
          tool: call.function.name,
          arguments: record(call.function.arguments),
          observation: observations.get(call.id) ?? "",
        })),
  );
}

function textCalls(messages: readonly ChatMessage[]): CallMade[] {
  return messages.flatMap((message, index) => {
    if (message.role !== "assistant") return [];
    const answered = matches(
      messages[index + 1]?.content ?? "",
      /<tool_response name="[^"]*">\n([\s\S]*?)\n<\/tool_response>/g,
    );
    return matches(message.content ?? "", /<tool_call>\n([\s\S]*?)\n<\/tool_call>/g).map((text, position) => {
      const call = record(text);
      return {
        tool: String(call?.["name"]),
        arguments: record(JSON.stringify(call?.["arguments"])),
        observation: answered[position] ?? "",
      };
    });
  });
}

function matches(text: string, pattern: RegExp): string[] {
  return Array.from(text.matchAll(pattern), (match) => match[1] ?? "");
}

function record(text: string | undefined): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
