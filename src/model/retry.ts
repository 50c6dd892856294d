import { setTimeout as sleep } from "node:timers/promises";
import { type EndpointFailure, type FailureKind, retriesFor } from "./endpoint-failure.ts";

/** What one request came to. */
export type Attempt<T> =
  | { readonly kind: "answered"; readonly answer: T }
  | { readonly kind: "failed"; readonly failure: EndpointFailure };

/** What a request and its retries came to; `failed` says after how many retries, and why no other was made. */
export type Settled<T> =
  | { readonly kind: "answered"; readonly answer: T }
  | { readonly kind: "failed"; readonly failure: EndpointFailure; readonly retries: number };

export interface RetryLimits {
  /** Retries of transient failures; other kinds have lower caps of their own. */
  readonly maxRetries: number;
  /** The first back-off is drawn from zero to this; each next one from twice the range. */
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
  /** A longer wait than this is not sat out: the endpoint's wish is the reason to stop. */
  readonly maxRetryAfterMs: number;
  /** Everything together: requests, answers and waits. */
  readonly totalMs: number;
}

export const defaultRetryLimits: RetryLimits = {
  maxRetries: 6,
  baseDelayMs: 500,
  maxDelayMs: 30_000,
  maxRetryAfterMs: 120_000,
  totalMs: 15 * 60_000,
};

export interface RetryOptions {
  readonly limits: RetryLimits;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

/**
 * Tries until there is an answer, the failure is not worth another try, or the limits are reached. Waits by exponential back-off with
 * full jitter, or as long as the endpoint asks. Rejects with the signal's reason as soon as it is aborted, also while waiting.
 */
export async function withRetries<T>(
  attempt: (remainingMs: number) => Promise<Attempt<T>>,
  { limits, random }: RetryOptions,
  signal: AbortSignal,
): Promise<Settled<T>> {
  const deadline = performance.now() + limits.totalMs;
  const seen = new Map<FailureKind, number>();
  for (let retries = 0; ; retries += 1) {
    signal.throwIfAborted();
    const outcome = await attempt(deadline - performance.now());
    if (outcome.kind === "answered") return outcome;
    const { failure } = outcome;
    const times = (seen.get(failure.kind) ?? 0) + 1;
    seen.set(failure.kind, times);
    const delay = delayMs(failure, retries, limits, random);
    const exhausted = times > retriesFor(failure.kind, limits.maxRetries) || retries >= limits.maxRetries;
    if (exhausted || delay === null || performance.now() + delay >= deadline) return { ...outcome, retries };
    await wait(delay, signal);
  }
}

function delayMs(failure: EndpointFailure, retries: number, limits: RetryLimits, random: () => number): number | null {
  if (failure.retryAfterMs === null) return random() * Math.min(limits.maxDelayMs, limits.baseDelayMs * 2 ** retries);
  if (failure.retryAfterMs > limits.maxRetryAfterMs) return null;
  // A little more than asked for, so that clients that were turned away together do not come back together.
  return failure.retryAfterMs + random() * limits.baseDelayMs;
}

async function wait(delay: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(delay, undefined, { signal });
  } catch {
    signal.throwIfAborted();
  }
}
