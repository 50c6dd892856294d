import type { Answer } from "./answer.ts";
import { fails } from "./answer.ts";

/** What the endpoint does not understand, each refused in the words of a real one. */
export interface Features {
  readonly refusesStreaming?: boolean;
  readonly refusesStreamOptions?: boolean;
  readonly refusesMaxTokens?: boolean;
  readonly refusesMaxCompletionTokens?: boolean;
  readonly refusesTools?: boolean;
  /** The largest limit of an answer that is accepted, in tokens. */
  readonly outputLimit?: number;
}

/** The refusal of a request that uses what the endpoint does not understand; null when it uses none of it. */
export function refusalOf(body: unknown, features: Features): Answer | null {
  const request = typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
  const limit = Number(request["max_tokens"] ?? request["max_completion_tokens"] ?? 0);
  if (features.refusesTools && request["tools"] !== undefined) {
    return { kind: "error", status: 400, headers: {}, body: { error: "registry/gemma:2b does not support tools" } };
  }
  if (features.refusesStreamOptions && request["stream_options"] !== undefined) {
    const detail = [
      { type: "extra_forbidden", loc: ["body", "stream_options"], msg: "Extra inputs are not permitted" },
    ];
    return { kind: "error", status: 422, headers: {}, body: { detail } };
  }
  if (features.refusesStreaming && request["stream"] === true) {
    const message = "Your organization must be verified to stream this model.";
    return fails(400, message, { param: "stream", code: "unsupported_value" });
  }
  if (features.refusesMaxTokens && request["max_tokens"] !== undefined) {
    const message =
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
    return fails(400, message, { param: "max_tokens", code: "unsupported_parameter" });
  }
  if (features.refusesMaxCompletionTokens && request["max_completion_tokens"] !== undefined) {
    return fails(400, "Unrecognized request argument supplied: max_completion_tokens");
  }
  if (features.outputLimit !== undefined && limit > features.outputLimit) {
    const field = request["max_tokens"] === undefined ? "max_completion_tokens" : "max_tokens";
    const message = `${field} is too large: ${limit}. This model supports at most ${features.outputLimit} completion tokens, whereas you provided ${limit}.`;
    return fails(400, message, { param: field, code: "invalid_value" });
  }
  return null;
}
