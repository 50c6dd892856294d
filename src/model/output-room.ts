import type { EndpointFailure } from "./endpoint-failure.ts";

/** How long an answer the endpoint would have let pass. */
export interface OutputRoom {
  readonly tokens: number;
  /** True for the model's own limit; false when it follows from this conversation's length or from the account. */
  readonly lasting: boolean;
}

/** Shorter answers are not worth asking for. */
const fewestTokens = 256;

/**
 * The room for an answer that a refusal states, when less than the `requested` tokens; null when the refusal is about something else.
 * Endpoints say it in prose only; the forms are those of vLLM, OpenRouter, OpenAI, Groq and Anthropic, in this order.
 */
export function outputRoom({ status, detail }: EndpointFailure, requested: number): OutputRoom | null {
  if (status !== 400 && status !== 402 && status !== 422) return null;
  const text = detail.slice(0, 4_000);
  const room = contextRoom(text) ?? affordable(text) ?? modelLimit(text, requested);
  return room !== null && room.tokens >= fewestTokens && room.tokens < requested ? room : null;
}

function contextRoom(text: string): OutputRoom | null {
  const context = /maximum context length is (\d{3,8})/.exec(text)?.[1];
  const input = /\((\d{1,8}) in the messages|has (\d{1,8}) input tokens/.exec(text);
  const used = input?.[1] ?? input?.[2];
  if (context === undefined || used === undefined) return null;
  return { tokens: Number(context) - Number(used), lasting: false };
}

function affordable(text: string): OutputRoom | null {
  const tokens = /can only afford (\d{1,8})/.exec(text)?.[1];
  return tokens === undefined ? null : { tokens: Number(tokens), lasting: false };
}

function modelLimit(text: string, requested: number): OutputRoom | null {
  if (!/max_(?:completion_)?tokens/.test(text) || /context length/.test(text)) return null;
  const limits = (text.match(/(?<![\w.-])\d{3,8}(?![\w-])/g) ?? []).map(Number).filter((limit) => limit < requested);
  return limits.length === 0 ? null : { tokens: Math.max(...limits), lasting: true };
}
