/**
 * Why one request got no usable answer.
 * `unreachable`: no connection could be made; `connection`: one broke; `overloaded`: HTTP 408, 409, 425 or 5xx; `malformed`: an answer
 * that is none; `no-credit`, `refused` (any other HTTP status) and `too-large` are not worth another try.
 */
export type FailureKind =
  | "unreachable"
  | "connection"
  | "timeout"
  | "rate-limited"
  | "overloaded"
  | "malformed"
  | "no-credit"
  | "refused"
  | "too-large";

export interface EndpointFailure {
  readonly kind: FailureKind;
  /** Of the HTTP answer; undefined when there was none. */
  readonly status: number | undefined;
  /** What the endpoint or the operating system said: untrusted, at most 16 KiB, possibly empty. */
  readonly detail: string;
  /** The request parameter that the endpoint objects to, when it says so. */
  readonly parameter: string | null;
  /** How long the endpoint asks to wait, in milliseconds. */
  readonly retryAfterMs: number | null;
}

const longestDetail = 16_384;

/** A failure with the given facts; the rest is unknown. */
export function failure(kind: FailureKind, fields: Partial<Omit<EndpointFailure, "kind">> = {}): EndpointFailure {
  const detail = fields.detail?.slice(0, longestDetail) ?? "";
  return { kind, status: undefined, parameter: null, retryAfterMs: null, ...fields, detail };
}

/** How often a request that failed this way is sent again at most; other kinds follow the caller's limit. */
const retryCaps: Readonly<Partial<Record<FailureKind, number>>> = {
  unreachable: 2,
  malformed: 2,
  "no-credit": 0,
  refused: 0,
  "too-large": 0,
};

/** The number of retries that a kind of failure is worth, given the limit for transient ones. */
export function retriesFor(kind: FailureKind, maxRetries: number): number {
  return Math.min(maxRetries, retryCaps[kind] ?? maxRetries);
}

/** The kind of an HTTP answer that is not a success. */
export function kindOfStatus(status: number, detail: string): FailureKind {
  // OpenAI answers 429 both for too many requests and for an empty account: https://platform.openai.com/docs/guides/error-codes
  if (status === 402 || (status === 429 && noCredit.test(detail))) return "no-credit";
  if (status === 429) return "rate-limited";
  if (status === 408 || status === 409 || status === 425 || (status >= 500 && status !== 501)) return "overloaded";
  return "refused";
}

const noCredit = /insufficient_quota|billing_hard_limit|exceeded your current quota|credit balance is too low/i;
