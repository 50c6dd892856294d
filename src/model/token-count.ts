import { createRequire } from "node:module";
import type * as Encoding from "gpt-tokenizer/encoding/o200k_base";
import type { Message, ModelRequest, ModelTurn, ToolDefinition, Usage } from "./model.ts";

/** Tokens that frame one message in the chat format: https://cookbook.openai.com/examples/how_to_count_tokens_with_tiktoken */
const tokensPerMessage = 4;

/** Tokens that a request would take. Each message is counted once, however many requests carry it. */
export function countRequestTokens(request: ModelRequest): number {
  const messages = request.messages.reduce((sum, message) => sum + remembered(message, countMessage), 0);
  return messages + (request.tools.length === 0 ? 0 : remembered(request.tools, countTools));
}

/** The usage of an answer whose endpoint did not say. */
export function estimateUsage(request: ModelRequest, turn: Pick<ModelTurn, "text" | "toolCalls">): Usage {
  const message: Message = { role: "assistant", content: turn.text, toolCalls: turn.toolCalls };
  return { inputTokens: countRequestTokens(request), cachedTokens: 0, outputTokens: countMessage(message) };
}

/**
 * Tokens of a text in the vocabulary of current OpenAI models; other models differ by some percent.
 * Bounded in time for every text: see `sliceLength` and `mostSlices`.
 */
export function countTokens(text: string): number {
  const slices = Math.ceil(text.length / sliceLength);
  const stride = Math.ceil(slices / mostSlices);
  let tokens = 0;
  let counted = 0;
  for (let slice = 0; slice < slices; slice += stride) {
    tokens += encoding().countTokens(text.slice(slice * sliceLength, (slice + 1) * sliceLength), plainText);
    counted += 1;
  }
  return counted === 0 ? 0 : Math.ceil((tokens * slices) / counted);
}

/** The tokenizer takes quadratic time on runs without a word boundary; slices bound the runs and add about one token in 200. */
const sliceLength = 512;
/** Of a longer text, evenly spread slices are counted and the sum is scaled up. */
const mostSlices = 1_000;

/** Text like `<|endoftext|>` is counted as the text that it is. */
const plainText = { disallowedSpecial: new Set<string>() };

function countMessage(message: Message): number {
  const calls = message.role === "assistant" ? message.toolCalls : [];
  return calls.reduce(
    (sum, call) => sum + tokensPerMessage + countTokens(call.name) + countTokens(call.arguments),
    tokensPerMessage + countTokens(message.content),
  );
}

function countTools(tools: readonly ToolDefinition[]): number {
  return tools.reduce((sum, tool) => sum + tokensPerMessage + countTokens(JSON.stringify(tool)), 0);
}

const counts = new WeakMap<object, number>();

function remembered<T extends object>(value: T, count: (value: T) => number): number {
  const known = counts.get(value);
  if (known !== undefined) return known;
  const tokens = count(value);
  counts.set(value, tokens);
  return tokens;
}

let loaded: typeof Encoding | undefined;

/** Loaded at the first count, by `require` since counting is synchronous: it takes a third of a second and 50 MB. */
function encoding(): typeof Encoding {
  loaded ??= createRequire(import.meta.url)("gpt-tokenizer/encoding/o200k_base") as typeof Encoding;
  return loaded;
}
