import { APIConnectionError, APIConnectionTimeoutError, APIError, OpenAIError } from "openai/error";
import { BodyTooLarge } from "./bounded-fetch.ts";
import { type EndpointFailure, failure, kindOfStatus } from "./endpoint-failure.ts";
import { jsonText } from "./json.ts";
import { retryAfterMs } from "./retry-after.ts";

/** An answer that came and is none: no JSON, no choices, a page, a stream without its end. */
export class MalformedAnswer extends Error {
  override readonly name = "MalformedAnswer";
}

/** An answer of status 200 that holds an error in place of a completion. */
export class AnsweredError extends Error {
  override readonly name = "AnsweredError";
  readonly code: string | number | null;
  readonly parameter: string | null;

  constructor(message: string, code: string | number | null, parameter: string | null) {
    super(message);
    this.code = code;
    this.parameter = parameter;
  }
}

/**
 * Turns whatever an endpoint or the network made a request throw into a value; `timedOut` says that the request's own clock ended it.
 * Throws the error again when it is a bug on this side.
 */
export function requestFailure(error: unknown, timedOut: boolean, now: Date): EndpointFailure {
  const known = causes(error);
  if (isBug(error, known.at(-1))) throw error;
  if (known.some((cause) => cause instanceof BodyTooLarge)) return failure("too-large");
  if (timedOut) return failure("timeout");
  const broken = known.find((cause) => cause instanceof MalformedAnswer || cause instanceof SyntaxError);
  if (broken instanceof Error) return failure("malformed", { detail: broken.message });
  const answered = known.find((cause) => cause instanceof AnsweredError);
  if (answered instanceof AnsweredError) return answeredFailure(answered);
  if (error instanceof APIError && !(error instanceof APIConnectionError)) return statusFailure(error, now);
  // The client's own clock is not used, so this is the time limit of making the connection.
  if (error instanceof APIConnectionTimeoutError) return failure("unreachable", { detail: "connection timed out" });
  return connectionFailure(known);
}

/** What the network does to `fetch` is also a TypeError, but one with a cause. */
function isBug(error: unknown, innermost: unknown): boolean {
  const isMisuse = error instanceof OpenAIError && !(error instanceof APIError);
  return isMisuse || innermost instanceof TypeError || innermost instanceof ReferenceError;
}

function statusFailure(error: APIError, now: Date): EndpointFailure {
  const detail = [error.message, error.code, error.type, jsonText(error.error)].filter(Boolean).join(" ");
  const { status } = error;
  if (status === undefined) return answeredFailure(new AnsweredError(detail, error.code ?? null, error.param ?? null));
  return failure(kindOfStatus(status, detail), {
    status,
    detail: error.message.replace(/^\d{3} /, ""),
    parameter: error.param ?? null,
    retryAfterMs: error.headers === undefined ? null : retryAfterMs(error.headers, now),
  });
}

/** OpenRouter and vLLM put the status that they would have sent into `code`; anything else inside a stream may be transient. */
function answeredFailure({ message, code, parameter }: AnsweredError): EndpointFailure {
  const status = Number(code);
  if (Number.isInteger(status) && status >= 400 && status < 600) {
    return failure(kindOfStatus(status, message), { status, detail: message, parameter });
  }
  const text = `${code ?? ""} ${message}`;
  if (/insufficient_quota/.test(text)) return failure("no-credit", { detail: message });
  return failure(/rate.?limit/i.test(text) ? "rate-limited" : "overloaded", { detail: message, parameter });
}

/** Codes of Node and of undici for a connection that was never made; all others broke later. */
const neverConnected = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
  "ETIMEDOUT",
  "UND_ERR_CONNECT_TIMEOUT",
]);

function connectionFailure(known: readonly unknown[]): EndpointFailure {
  const codes = known.flatMap((cause) => (hasCode(cause) ? [cause.code] : []));
  const code = codes.find((candidate) => neverConnected.has(candidate)) ?? codes[0];
  const messages = known.flatMap((cause) => (cause instanceof Error && cause.message !== "" ? [cause.message] : []));
  const detail = code === undefined ? (messages.at(-1) ?? "") : `${code} ${messages.at(-1) ?? ""}`;
  const isCertificate = code !== undefined && /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_SSL|ERR_TLS/.test(code);
  const unreachable = code !== undefined && (neverConnected.has(code) || isCertificate);
  return failure(unreachable ? "unreachable" : "connection", { detail });
}

function hasCode(value: unknown): value is { code: string } {
  return typeof value === "object" && value !== null && "code" in value && typeof value.code === "string";
}

/** The error, its causes and the errors that an AggregateError holds, outermost first. */
function causes(error: unknown, depth = 0): unknown[] {
  if (error === undefined || error === null || depth > 8) return [];
  const inner = error instanceof AggregateError ? error.errors.slice(0, 8) : [];
  const cause = error instanceof Error && error.cause !== undefined ? [error.cause] : [];
  return [error, ...[...inner, ...cause].flatMap((next) => causes(next, depth + 1))];
}
