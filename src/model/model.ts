/** A tool as the model sees it; `parameters` is a JSON schema. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** The raw JSON text that the model sent; may be malformed. */
  readonly arguments: string;
}

export type Message =
  | { readonly role: "system"; readonly content: string }
  | { readonly role: "user"; readonly content: string }
  | { readonly role: "assistant"; readonly content: string; readonly toolCalls: readonly ToolCall[] }
  | { readonly role: "tool"; readonly toolCallId: string; readonly content: string };

/** Tokens of one answer or of many added up. */
export interface Usage {
  readonly inputTokens: number;
  /** The part of `inputTokens` that the endpoint served from its prompt cache. */
  readonly cachedTokens: number;
  readonly outputTokens: number;
}

export interface ModelRequest {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  /** Upper bound for the answer, in tokens. */
  readonly maxOutputTokens: number;
}

/** One answer of the model: a turn. */
export interface ModelTurn {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly usage: Usage;
  /** True when the endpoint sent no usage and it was counted with a tokenizer. */
  readonly usageEstimated: boolean;
  /** `length`: cut at the output limit. */
  readonly finish: "stop" | "tool-calls" | "length" | "content-filter";
  readonly durationMs: number;
}

/**
 * The port to a language model. `respond` rejects with `ModelError` once retries are used up, with the signal's reason when
 * aborted, and never with anything else that an endpoint did.
 */
export interface Model {
  readonly name: string;
  /** Host and path of the endpoint, without credentials, for messages. */
  readonly endpoint: string;
  respond(request: ModelRequest, signal: AbortSignal): Promise<ModelTurn>;
  /** Tokens that a request would take, by tokenizer: an estimate for reserving budgets. */
  estimateInputTokens(request: ModelRequest): number;
  /** Price of the usage in USD; null when the model's price is unknown. */
  cost(usage: Usage): number | null;
}
