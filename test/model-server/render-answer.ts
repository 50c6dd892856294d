import type { ScriptedCall, TurnAnswer } from "./answer.ts";
import { type TextForm, writtenCalls } from "./text-form.ts";

export interface Rendering {
  readonly model: string;
  /** How calls are given: in the API's own field, or written into the text as models without tool support do. */
  readonly form: "native" | TextForm;
  /** Null leaves the usage out. */
  readonly usage: Record<string, unknown> | null;
}

/** The answer as one JSON object: https://platform.openai.com/docs/api-reference/chat/object */
export function completion(answer: TurnAnswer, { model, form, usage }: Rendering): Record<string, unknown> {
  const { text, calls } = spoken(answer, form);
  return {
    ...frame(model, "chat.completion"),
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: text === "" && calls.length > 0 ? null : text,
          ...(calls.length === 0 ? {} : { tool_calls: calls.map(toolCall) }),
        },
        finish_reason: finishReason(answer, calls),
      },
    ],
    ...(usage === null ? {} : { usage }),
  };
}

/** The answer in the pieces of a stream, without the closing `[DONE]`: https://platform.openai.com/docs/api-reference/chat-streaming */
export function* chunks(answer: TurnAnswer, { model, form, usage }: Rendering): Generator<Record<string, unknown>> {
  const { text, calls } = spoken(answer, form);
  const chunk = (delta: Record<string, unknown>, reason: string | null = null): Record<string, unknown> => ({
    ...frame(model, "chat.completion.chunk"),
    choices: [{ index: 0, delta, finish_reason: reason }],
  });
  yield chunk({ role: "assistant", content: "" });
  for (const content of pieces(text)) yield chunk({ content });
  for (const [index, call] of calls.entries()) {
    const { id, type, function: whole } = toolCall(call, index);
    yield chunk({ tool_calls: [{ index, id, type, function: { name: whole.name, arguments: "" } }] });
    for (const part of pieces(whole.arguments)) yield chunk({ tool_calls: [{ index, function: { arguments: part } }] });
  }
  yield chunk({}, finishReason(answer, calls));
  if (usage !== null) yield { ...frame(model, "chat.completion.chunk"), choices: [], usage };
}

function spoken(answer: TurnAnswer, form: Rendering["form"]): { text: string; calls: readonly ScriptedCall[] } {
  if (form === "native" || answer.calls.length === 0) return answer;
  return { text: `${answer.text}\n${writtenCalls(answer.calls, form)}`.trim(), calls: [] };
}

function frame(model: string, object: string): Record<string, unknown> {
  return { id: "chatcmpl-1", object, created: 1_700_000_000, model };
}

let callsGiven = 0;

function toolCall(call: ScriptedCall, index: number) {
  callsGiven += 1;
  const text = typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);
  return { id: `call_${callsGiven}_${index}`, type: "function", function: { name: call.tool, arguments: text } };
}

function finishReason(answer: TurnAnswer, calls: readonly ScriptedCall[]): string {
  return answer.finish ?? (calls.length > 0 ? "tool_calls" : "stop");
}

/** Pieces of uneven length that also cut through words, escapes and surrogate pairs' neighbours. */
function* pieces(text: string): Generator<string> {
  const characters = Array.from(text);
  for (let start = 0, length = 1; start < characters.length; start += length, length = (length % 13) + 3) {
    yield characters.slice(start, start + length).join("");
  }
}
