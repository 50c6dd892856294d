import type { RawAnswer } from "./answer-collector.ts";
import type { ModelRequest, ModelTurn, ToolCall } from "./model.ts";
import { textToolCalls } from "./text-tool-calls.ts";
import { estimateUsage } from "./token-count.ts";

/** Makes a turn of an answer: calls written as text are found, missing ids and usage are filled in. */
export function turnOf(answer: RawAnswer, request: ModelRequest, newId: () => string, durationMs: number): ModelTurn {
  const { text, calls } = callsOf(answer, request);
  const toolCalls = withIds(calls, request, newId);
  const usage = answer.usage ?? estimateUsage(request, { text: answer.text, toolCalls: answer.toolCalls });
  return {
    text,
    toolCalls,
    usage,
    usageEstimated: answer.usage === null,
    finish: finishOf(answer, toolCalls),
    durationMs,
  };
}

function callsOf(answer: RawAnswer, request: ModelRequest): { text: string; calls: readonly ToolCall[] } {
  if (answer.toolCalls.length > 0) return { text: answer.text, calls: answer.toolCalls };
  const { text, calls } = textToolCalls(answer.text, request.tools);
  return { text, calls: calls.map((call) => ({ id: "", ...call })) };
}

/** Some endpoints send no ids, or the same ones in every answer; a conversation with two calls of one id is refused by others. */
function withIds(calls: readonly ToolCall[], request: ModelRequest, newId: () => string): ToolCall[] {
  if (calls.length === 0) return [];
  const taken = new Set(
    request.messages.flatMap((message) => (message.role === "assistant" ? message.toolCalls.map(({ id }) => id) : [])),
  );
  return calls.map((call) => {
    const id = call.id === "" || taken.has(call.id) ? unused(newId, taken) : call.id;
    taken.add(id);
    return { ...call, id };
  });
}

function unused(newId: () => string, taken: ReadonlySet<string>): string {
  for (;;) {
    const id = newId();
    if (!taken.has(id)) return id;
  }
}

function finishOf({ finishReason }: RawAnswer, toolCalls: readonly ToolCall[]): ModelTurn["finish"] {
  if (finishReason === "length") return "length";
  if (finishReason === "content_filter") return "content-filter";
  return toolCalls.length > 0 ? "tool-calls" : "stop";
}
