import type { TurnAnswer } from "./answer.ts";
import type { ChatRequest } from "./request-schema.ts";

/** Counts like a real endpoint: tokens by length, and as cached what the prompt shares with the start of an earlier one. */
export class UsageCounter {
  readonly #prompts: string[] = [];

  count(request: ChatRequest, answer: TurnAnswer): Record<string, unknown> {
    const prompt = JSON.stringify([request.tools ?? [], request.messages]);
    const shared = Math.max(0, ...this.#prompts.map((earlier) => sharedLength(earlier, prompt)));
    this.#prompts.push(prompt);
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

function sharedLength(left: string, right: string): number {
  const most = Math.min(left.length, right.length);
  let length = 0;
  while (length < most && left[length] === right[length]) length += 1;
  return length;
}
