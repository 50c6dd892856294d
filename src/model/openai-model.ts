import { ModelError } from "../errors.ts";
import type { RawAnswer } from "./answer-collector.ts";
import { adapted, type Capabilities, type Freedom } from "./capabilities.ts";
import { type Endpoint, endpointOf } from "./endpoint.ts";
import { failureWords } from "./failure-words.ts";
import type { Model, ModelRequest, ModelTurn, Usage } from "./model.ts";
import { outputRoom } from "./output-room.ts";
import { priceOf } from "./price.ts";
import { requestBody } from "./request-body.ts";
import { type Attempt, defaultRetryLimits, type RetryLimits, withRetries } from "./retry.ts";
import { countRequestTokens } from "./token-count.ts";
import { turnOf } from "./turn.ts";

export interface OpenAiModelOptions {
  /** Address of an OpenAI-compatible API, usually one that ends in `/v1`; a query is kept. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly model: string;
  /** `auto`: streams until the endpoint refuses to. */
  readonly streaming?: "auto" | "always" | "never";
  /** `auto`: the endpoint's own tool support until it refuses it, then tools described in the prompt and called in text. */
  readonly tools?: "auto" | "native" | "text";
  /** One request from sending to the answer's end, in milliseconds; ten minutes by default. */
  readonly requestMs?: number;
  /** The longest pause inside an answer, in milliseconds; two minutes by default. */
  readonly idleMs?: number;
  readonly retries?: Partial<RetryLimits>;
  /** An answer's text and arguments are cut at this many characters; 2 Mi by default. */
  readonly maxAnswerLength?: number;
  readonly now?: () => Date;
  /** Uniform in [0, 1), for back-off. */
  readonly random?: () => number;
}

/**
 * The model behind an OpenAI-compatible Chat Completions endpoint. Reads no environment variable, and neither does the SDK below it.
 * What an endpoint refuses (streaming, usage in streams, `max_tokens`, tools, long answers) is given up and remembered; such a second
 * request at once, like every retry, is part of the same turn. Throws `AutolithError` ("config") for an unusable address.
 */
export function openAiModel(options: OpenAiModelOptions): Model {
  return new OpenAiModel(options);
}

/** More refusals than there are things to give up would be a circle. */
const mostAdaptations = 8;

/** Holds what is known of the endpoint, which grows with its refusals. */
class OpenAiModel implements Model {
  readonly #endpoint: Endpoint;
  readonly #options: OpenAiModelOptions;
  readonly #now: () => Date;
  readonly #freedom: Freedom;
  #capabilities: Capabilities;
  #outputLimit = Number.POSITIVE_INFINITY;
  #ids = 0;

  constructor(options: OpenAiModelOptions) {
    const { streaming = "auto", tools = "auto" } = options;
    this.#endpoint = endpointOf(options.baseUrl, options.apiKey);
    this.#options = options;
    this.#now = options.now ?? (() => new Date());
    this.#freedom = { streaming: streaming === "auto", tools: tools === "auto" };
    this.#capabilities = {
      streaming: streaming !== "never",
      streamUsage: true,
      limitField: this.#endpoint.isOpenAi ? "max_completion_tokens" : "max_tokens",
      limitFieldSettled: false,
      tools: tools === "text" ? "text" : "native",
    };
  }

  get name(): string {
    return this.#options.model;
  }

  get endpoint(): string {
    return this.#endpoint.label;
  }

  estimateInputTokens(request: ModelRequest): number {
    return countRequestTokens(request);
  }

  cost(usage: Usage): number | null {
    return priceOf(usage, { baseUrl: this.#options.baseUrl, model: this.name, at: this.#now() });
  }

  async respond(request: ModelRequest, signal: AbortSignal): Promise<ModelTurn> {
    signal.throwIfAborted();
    const started = performance.now();
    const settled = await withRetries(
      (remainingMs) => this.#ask(request, remainingMs, signal),
      { limits: { ...defaultRetryLimits, ...this.#options.retries }, random: this.#options.random ?? Math.random },
      signal,
    );
    if (settled.kind === "answered") {
      return turnOf(settled.answer, request, () => this.#newId(), performance.now() - started);
    }
    const { failure, retries } = settled;
    const { model, apiKey } = this.#options;
    const words = failureWords(failure, {
      model,
      apiKey,
      retries,
      label: this.#endpoint.label,
      address: this.#endpoint.address,
    });
    throw new ModelError(words, { status: failure.status });
  }

  /** Asks until the endpoint answers, fails, or refuses something that cannot be given up. */
  async #ask(request: ModelRequest, remainingMs: number, signal: AbortSignal): Promise<Attempt<RawAnswer>> {
    // Loaded at the first request: the SDK takes a third of a second, which no other command should wait for.
    const { askEndpoint } = await import("./ask-endpoint.ts");
    const { model, requestMs = 600_000, idleMs = 120_000, maxAnswerLength = 2 * 1024 * 1024 } = this.#options;
    const deadline = performance.now() + Math.min(requestMs, remainingMs);
    let maxOutputTokens = Math.min(request.maxOutputTokens, this.#outputLimit);
    for (let adaptations = 0; ; adaptations += 1) {
      const used = this.#capabilities;
      const limits = { requestMs: deadline - performance.now(), idleMs, maxAnswerLength };
      const body = requestBody(model, request, used, maxOutputTokens);
      const attempt = await askEndpoint(this.#endpoint, body, limits, this.#now, signal);
      if (attempt.kind === "answered" || adaptations >= mostAdaptations) return attempt;
      const capabilities = adapted(used, attempt.failure, this.#freedom);
      const room = capabilities === null ? outputRoom(attempt.failure, maxOutputTokens) : null;
      if (capabilities === null && room === null) return attempt;
      // Another request may have learnt the same, or more, in the meantime.
      if (capabilities !== null && this.#capabilities === used) this.#capabilities = capabilities;
      maxOutputTokens = room?.tokens ?? maxOutputTokens;
      if (room?.lasting) this.#outputLimit = room.tokens;
    }
  }

  /** Nine letters and digits: the one form that Mistral's API takes. */
  #newId(): string {
    this.#ids += 1;
    return `call${this.#ids.toString().padStart(5, "0")}`;
  }
}
