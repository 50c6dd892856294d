import type OpenAI from "openai";
import { isRecord, jsonValue } from "./json.ts";
import type { Message, ToolCall } from "./model.ts";

type ChatMessage = OpenAI.Chat.Completions.ChatCompletionMessageParam;

/** A conversation for an endpoint that knows tools. */
export function chatMessages(messages: readonly Message[]): ChatMessage[] {
  return messages.map(chatMessage);
}

function chatMessage(message: Message): ChatMessage {
  // Half a surrogate pair is legal in our strings and breaks JSON parsers that decode to UTF-8.
  const content = message.content.toWellFormed();
  switch (message.role) {
    case "system":
    case "user":
      return { role: message.role, content };
    case "tool":
      return { role: "tool", tool_call_id: message.toolCallId, content };
    case "assistant": {
      if (message.toolCalls.length === 0) return { role: "assistant", content };
      return {
        role: "assistant",
        content: content === "" ? null : content,
        tool_calls: message.toolCalls.map(chatToolCall),
      };
    }
    default:
      return message satisfies never;
  }
}

function chatToolCall(call: ToolCall): OpenAI.Chat.Completions.ChatCompletionMessageToolCall {
  return {
    id: call.id,
    type: "function",
    function: { name: validName(call.name), arguments: validArguments(call.arguments) },
  };
}

/** Endpoints refuse a conversation whose own earlier call is malformed; the model still sees what it had sent. */
export function validArguments(text: string): string {
  return isRecord(jsonValue(text)) ? text.toWellFormed() : JSON.stringify({ malformed_arguments: text.toWellFormed() });
}

/** Names that a model made up may hold anything, and endpoints take only these characters. */
function validName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64) || "unnamed";
}
