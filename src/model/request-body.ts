import type OpenAI from "openai";
import type { Capabilities } from "./capabilities.ts";
import { chatMessages } from "./chat-messages.ts";
import type { ModelRequest } from "./model.ts";
import { textMessages } from "./text-messages.ts";

export type RequestBody = OpenAI.Chat.Completions.ChatCompletionCreateParams;

/**
 * The body of one request. Sends nothing that is not needed: temperature and its like are refused by reasoning models, and every
 * optional field is unknown to some server.
 */
export function requestBody(
  model: string,
  request: ModelRequest,
  capabilities: Capabilities,
  maxOutputTokens: number,
): RequestBody {
  const isText = capabilities.tools === "text";
  const tools = isText ? [] : request.tools;
  return {
    model,
    messages: isText ? textMessages(request.messages, request.tools) : chatMessages(request.messages),
    ...(tools.length === 0 ? {} : { tools: tools.map(chatTool) }),
    [capabilities.limitField]: maxOutputTokens,
    ...(capabilities.streaming ? { stream: true } : {}),
    ...(capabilities.streaming && capabilities.streamUsage ? { stream_options: { include_usage: true } } : {}),
  };
}

function chatTool({
  name,
  description,
  parameters,
}: ModelRequest["tools"][number]): OpenAI.Chat.Completions.ChatCompletionTool {
  return { type: "function", function: { name, description, parameters: { ...parameters } } };
}
