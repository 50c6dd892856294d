import { toolDefinitions } from "../../src/loop/tool/tools.ts";
import type { Message } from "../../src/model/model.ts";
import { modelAt, never, request } from "../model/requests.ts";

/** The shortest loop there is, with the product's tools: asks the model, answers its calls by `observe`, and gives back what was called, as `tool arguments`. */
export async function drive(
  url: string,
  turns: number,
  observe: (tool: string) => string = () => "ok",
): Promise<string[]> {
  const model = modelAt(url);
  const messages: Message[] = [...request().messages];
  const made: string[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const { text, toolCalls } = await model.respond(request({ messages, tools: toolDefinitions }), never);
    messages.push({ role: "assistant", content: text, toolCalls });
    for (const call of toolCalls) messages.push({ role: "tool", toolCallId: call.id, content: observe(call.name) });
    if (toolCalls.length === 0) messages.push({ role: "user", content: "Call a tool." });
    made.push(toolCalls.length === 0 ? text : toolCalls.map((call) => `${call.name} ${call.arguments}`).join("; "));
  }
  return made;
}
