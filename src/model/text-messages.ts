import { validArguments } from "./chat-messages.ts";
import type { Message, ToolDefinition } from "./model.ts";

export interface TextMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

/**
 * A conversation for an endpoint that knows no tools: they are described in the system message, calls are written as text in the form
 * that `textToolCalls` understands, and their results come as the user. Neighbours of one role are joined, since many chat templates
 * want user and assistant in turn.
 */
export function textMessages(messages: readonly Message[], tools: readonly ToolDefinition[]): TextMessage[] {
  const names = new Map<string, string>();
  const joined: TextMessage[] = [];
  for (const message of withTools(messages, tools)) {
    if (message.role === "assistant") for (const call of message.toolCalls) names.set(call.id, call.name);
    const next = textMessage(message, names);
    const last = joined.at(-1);
    if (last?.role !== next.role) joined.push(next);
    else joined[joined.length - 1] = { role: next.role, content: `${last.content}\n\n${next.content}` };
  }
  return joined;
}

function withTools(messages: readonly Message[], tools: readonly ToolDefinition[]): Message[] {
  const description: Message[] = tools.length === 0 ? [] : [{ role: "system", content: toolPrompt(tools) }];
  const start = messages.findIndex((message) => message.role !== "system");
  const index = start === -1 ? messages.length : start;
  return [...messages.slice(0, index), ...description, ...messages.slice(index)];
}

function textMessage(message: Message, names: ReadonlyMap<string, string>): TextMessage {
  const content = message.content.toWellFormed();
  switch (message.role) {
    case "system":
    case "user":
      return { role: message.role, content };
    case "tool": {
      const name = names.get(message.toolCallId) ?? "tool";
      return { role: "user", content: `<tool_response name="${name}">\n${content}\n</tool_response>` };
    }
    case "assistant": {
      const calls = message.toolCalls.map(
        (call) =>
          `<tool_call>\n{"name": ${JSON.stringify(call.name)}, "arguments": ${validArguments(call.arguments)}}\n</tool_call>`,
      );
      return { role: "assistant", content: [content, ...calls].filter((part) => part !== "").join("\n") };
    }
    default:
      return message satisfies never;
  }
}

function toolPrompt(tools: readonly ToolDefinition[]): string {
  const list = tools.map(({ name, description, parameters }) => JSON.stringify({ name, description, parameters }));
  return `You act by calling tools. These exist, with the JSON schema of their arguments:

<tools>
${list.join("\n")}
</tools>

To call one, write exactly this, with the arguments as one JSON object, and stop after it:

<tool_call>
{"name": "…", "arguments": {…}}
</tool_call>

The result comes back in <tool_response> with the next message. Never write a <tool_response> yourself.`;
}
