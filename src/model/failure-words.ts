import { stripHidden } from "../hidden-characters.ts";
import { redact } from "../redact.ts";
import type { EndpointFailure } from "./endpoint-failure.ts";

export interface FailureContext {
  readonly model: string;
  /** Host and path of the endpoint. */
  readonly label: string;
  /** Host and port. */
  readonly address: string;
  /** Never repeated, even when the endpoint does. */
  readonly apiKey: string;
  readonly retries: number;
}

/** Says in one line what failed, where, and what to check; quotes the endpoint briefly, without secrets. */
export function failureWords(failure: EndpointFailure, context: FailureContext): string {
  const said = quoted(failure.detail, context.apiKey);
  const retries =
    context.retries === 0 ? "" : ` after ${context.retries} ${context.retries === 1 ? "retry" : "retries"}`;
  return `${sentence(failure, context)}${retries}${said === "" ? "" : `; it said: ${said}`}`;
}

function sentence(failure: EndpointFailure, context: FailureContext): string {
  const { label, address, model } = context;
  const status = failure.status === undefined ? "" : ` (${failure.status})`;
  switch (failure.kind) {
    case "unreachable":
      return `nothing answers at ${address}, the address of the model: check OPENAI_BASE_URL and that the server runs`;
    case "connection":
      return `the connection to ${address} broke before model ${model} had answered`;
    case "timeout":
      return `model ${model} at ${label} did not answer in time`;
    case "rate-limited":
      return `${label} limits the rate of requests to model ${model}${status}${wish(failure)}`;
    case "overloaded":
      return `${label} cannot serve model ${model} at the moment${status}${wish(failure)}`;
    case "malformed":
      return `${label} answers with something that is no chat completion${status}: check that OPENAI_BASE_URL is an OpenAI-compatible address, usually one that ends in /v1`;
    case "no-credit":
      return `the account at ${label} has no credit left for model ${model}${status}`;
    case "too-large":
      return `the answer of model ${model} at ${label} is larger than any useful one`;
    case "refused":
      return refusal(failure, context);
    default:
      return failure.kind satisfies never;
  }
}

function refusal({ status, detail }: EndpointFailure, { label, model }: FailureContext): string {
  if (status === 401) return `${label} does not accept the key (401): check OPENAI_API_KEY`;
  if (status === 403)
    return `${label} does not let this key use model ${model} (403): check OPENAI_API_KEY and AUTOLITH_MODEL`;
  if (status === 404) {
    return `${label} knows no model ${model}, or is not the right address (404): check AUTOLITH_MODEL and OPENAI_BASE_URL, which usually ends in /v1`;
  }
  if (status !== undefined && status >= 300 && status < 400) {
    return `${label} sends requests elsewhere (${status}), which is not followed because the key would go along: check OPENAI_BASE_URL`;
  }
  if (/context.{0,20}(length|size|window)|too many tokens|prompt is too long/i.test(detail.slice(0, 4_000))) {
    return `the conversation is longer than model ${model} at ${label} can read (${status ?? "no status"}): give the server a larger context window`;
  }
  return `${label} refuses the request to model ${model}${status === undefined ? "" : ` (${status})`}`;
}

function wish({ retryAfterMs }: EndpointFailure): string {
  return retryAfterMs === null ? "" : ` and asks to wait ${Math.ceil(retryAfterMs / 1_000)} s`;
}

const longestQuote = 300;

function quoted(detail: string, apiKey: string): string {
  const line = stripHidden(detail.slice(0, 10 * longestQuote))
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  const safe = redact(line, [apiKey]);
  return safe.length > longestQuote ? `${safe.slice(0, longestQuote)}…` : safe;
}
