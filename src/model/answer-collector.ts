import type { AnswerPart, MessagePart, ToolCallPart } from "./answer-schema.ts";
import type { ToolCall, Usage } from "./model.ts";

interface PartialCall {
  id: string;
  name: string;
  arguments: string;
  readonly index: number | null;
}

/** An answer as the endpoint gave it. */
export interface RawAnswer {
  readonly text: string;
  /** Ids may be empty or repeated. */
  readonly toolCalls: readonly ToolCall[];
  /** `length` when it was cut here, for its size. */
  readonly finishReason: string;
  /** Null when the endpoint did not say. */
  readonly usage: Usage | null;
}

/** Puts an answer together from one or many parts, up to a size in characters. */
export class AnswerCollector {
  readonly #maxLength: number;
  #text = "";
  #length = 0;
  readonly #calls: PartialCall[] = [];
  #finishReason: string | null = null;
  #usage: Usage | null = null;
  #choices = 0;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** True when the answer has reached its largest size: nothing more is taken. */
  get full(): boolean {
    return this.#length >= this.#maxLength;
  }

  add(part: AnswerPart): void {
    this.#usage = usageOf(part) ?? this.#usage;
    const choice = part.choices?.[0];
    if (choice === undefined) return;
    this.#choices += 1;
    this.#finishReason = choice.finish_reason || this.#finishReason;
    if (choice.message) this.#addMessage(choice.message, () => this.#begin(null));
    else if (choice.delta) this.#addMessage(choice.delta, (part) => this.#continued(part));
  }

  /** The whole answer; null when it had no choice or no end. */
  finish(): RawAnswer | null {
    const finishReason = this.full ? "length" : this.#finishReason;
    if (this.#choices === 0 || finishReason === null) return null;
    const toolCalls = this.#calls.map(({ id, name, arguments: text }) => ({ id, name, arguments: text }));
    return { text: this.#text, toolCalls, finishReason, usage: this.#usage };
  }

  #addMessage(message: MessagePart, callOf: (part: ToolCallPart) => PartialCall): void {
    this.#text += this.#take(message.content ?? message.refusal ?? "");
    for (const part of message.tool_calls ?? []) {
      const call = callOf(part);
      call.id ||= part.id ?? "";
      call.name = part.function.name || call.name;
      call.arguments += this.#take(part.function.arguments ?? "");
    }
  }

  /** Streams name a call by its index; some omit it or use one for all, and then a new id begins a new call. */
  #continued(part: ToolCallPart): PartialCall {
    const index = part.index ?? null;
    const current = index === null ? this.#calls.at(-1) : this.#calls.findLast((call) => call.index === index);
    const isOther = current !== undefined && Boolean(part.id) && current.id !== "" && part.id !== current.id;
    return current === undefined || isOther ? this.#begin(index) : current;
  }

  #begin(index: number | null): PartialCall {
    const call = { id: "", name: "", arguments: "", index };
    this.#calls.push(call);
    return call;
  }

  #take(piece: string): string {
    const taken = piece.slice(0, Math.max(0, this.#maxLength - this.#length));
    this.#length += taken.length;
    return taken;
  }
}

function usageOf({ usage }: AnswerPart): Usage | null {
  // Some endpoints send zeros for a usage that they did not count.
  if (!usage || usage.prompt_tokens === 0) return null;
  const cached = usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? 0;
  return {
    inputTokens: usage.prompt_tokens,
    cachedTokens: Math.min(cached, usage.prompt_tokens),
    outputTokens: usage.completion_tokens,
  };
}
