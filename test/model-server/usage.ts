import type { TurnAnswer } from "./answer.ts";
import type { ChatRequest } from "./request-schema.ts";

/** Of the latest prompts, so many are compared. */
const mostPrompts = 8;

/** Counts like a real endpoint: tokens by length, and as cached what the prompt shares with the start of an earlier one. */
export class UsageCounter {
  readonly #prompts: string[] = [];

  count(request: ChatRequest, answer: TurnAnswer): Record<string, unknown> {
    const prompt = JSON.stringify([request.tools ?? [], request.messages]);
    const shared = Math.max(0, ...this.#prompts.map((earlier) => sharedLength(earlier, prompt)));
    this.#prompts.push(prompt);
    if (this.#prompts.length > mostPrompts) this.#prompts.shift();
    const counted = answer.usage ?? {
      inputTokens: tokens(prompt.length),
      // OpenAI caches from 1,024 tokens on, in steps of 128: https://platform.openai.com/docs/guides/prompt-caching
      cachedTokens: shared < 4 * 1_024 ? 0 : Math.floor(shared / 4 / 128) * 128,
      outputTokens: tokens(answer.text.length + JSON.stringify(answer.calls).length),
    };
    return {
      prompt_tokens: counted.inputTokens,
      completion_tokens: counted.outputTokens,
      total_tokens: counted.inputTokens + counted.outputTokens,
      prompt_tokens_details: { cached_tokens: counted.cachedTokens },
    };
  }
}

function tokens(characters: number): number {
  return Math.ceil(characters / 4);
}

/** By bisection: comparing character by character would take longer than the answer. */
function sharedLength(left: string, right: string): number {
  let [shared, most] = [0, Math.min(left.length, right.length)];
  while (shared < most) {
    const middle = Math.ceil((shared + most) / 2);
    if (left.startsWith(right.slice(shared, middle), shared)) shared = middle;
    else most = middle - 1;
  }
  return shared;
}
