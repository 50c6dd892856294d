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
  const { what, check } = reason(failure, context);
  const said = quoted(failure.detail, context.apiKey);
  const tries =
    context.retries === 0 ? "" : `, after ${context.retries} ${context.retries === 1 ? "retry" : "retries"}`;
  return `${what}${tries}${check === "" ? "" : `: ${check}`}${said === "" ? "" : `; it said: ${said}`}`;
}

interface Reason {
  readonly what: string;
  /** What to look at; empty when there is nothing to be done. */
  readonly check: string;
}

const addressHint = "check OPENAI_BASE_URL, which usually ends in /v1";

function reason(failure: EndpointFailure, context: FailureContext): Reason {
  const { label, address, model } = context;
  const status = failure.status === undefined ? "" : ` (${failure.status})`;
  switch (failure.kind) {
    case "unreachable":
      return { what: `nothing answers at ${address}`, check: "check OPENAI_BASE_URL, and that the model server runs" };
    case "connection":
      return { what: `the connection to ${address} broke before model ${model} had answered`, check: "" };
    case "timeout":
      return { what: `model ${model} at ${label} did not answer in time`, check: "" };
    case "rate-limited":
      return { what: `${label} limits the rate of requests to model ${model}${status}${wish(failure)}`, check: "" };
    case "overloaded":
      return { what: `${label} cannot serve model ${model} at the moment${status}${wish(failure)}`, check: "" };
    case "malformed":
      return { what: `${label} answers with something that is no chat completion${status}`, check: addressHint };
    case "no-credit":
      return { what: `the account at ${label} has no credit left for model ${model}${status}`, check: "" };
    case "too-large":
      return { what: `the answer of model ${model} at ${label} is larger than any useful one`, check: "" };
    case "refused":
      return refusal(failure, context);
    default:
      return failure.kind satisfies never;
  }
}

function refusal({ status = 0, detail }: EndpointFailure, { label, model }: FailureContext): Reason {
  if (status === 401) return { what: `${label} does not accept the key (401)`, check: "check OPENAI_API_KEY" };
  if (status === 403) {
    return {
      what: `${label} does not let this key use model ${model} (403)`,
      check: "check OPENAI_API_KEY and AUTOLITH_MODEL",
    };
  }
  if (status === 404) {
    return {
      what: `${label} knows no model ${model}, or no such address (404)`,
      check: `check AUTOLITH_MODEL; ${addressHint}`,
    };
  }
  if (status >= 300 && status < 400) {
    return {
      what: `${label} redirects (${status}), which is not followed because the key would go along`,
      check: addressHint,
    };
  }
  if (/context.{0,20}(length|size|window)|too many tokens|prompt is too long/i.test(detail.slice(0, 4_000))) {
    const what = `the conversation is longer than model ${model} at ${label} can read (${status})`;
    return { what, check: "give the server a larger context window, or use another model" };
  }
  return { what: `${label} refuses the request to model ${model} (${status})`, check: "" };
}

function wish({ retryAfterMs }: EndpointFailure): string {
  return retryAfterMs === null ? "" : ` and asks to wait ${Math.ceil(retryAfterMs / 1_000)} s`;
}

const longestQuote = 300;

function quoted(detail: string, apiKey: string): string {
  const visible = detail.slice(0, 10 * longestQuote).replace(/\p{Cf}+/gu, "");
  const line = visible.replace(/[\s\p{Cc}]+/gu, " ").trim();
  const safe = redact(line, [apiKey]);
  return safe.length > longestQuote ? `${safe.slice(0, longestQuote)}…` : safe;
}
