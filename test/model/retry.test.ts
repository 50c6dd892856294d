import { expect, test } from "vitest";
import { type EndpointFailure, failure, retriesFor } from "../../src/model/endpoint-failure.ts";
import { type Attempt, defaultRetryLimits, withRetries } from "../../src/model/retry.ts";
import { retryAfterMs } from "../../src/model/retry-after.ts";
import { never } from "./requests.ts";

function failing(...failures: EndpointFailure[]): { attempt: () => Promise<Attempt<string>>; attempts: () => number } {
  let attempts = 0;
  return {
    attempts: () => attempts,
    attempt: async () => {
      const next = failures[attempts];
      attempts += 1;
      return next === undefined ? { kind: "answered", answer: "ok" } : { kind: "failed", failure: next };
    },
  };
}

const limits = { ...defaultRetryLimits, baseDelayMs: 0 };

test("counts a kind of failure with a lower cap by itself", async () => {
  const overloaded = failure("overloaded");
  const malformed = failure("malformed");
  const mixed = failing(overloaded, overloaded, malformed, overloaded, malformed);
  expect(await withRetries(mixed.attempt, { limits, random: () => 0 }, never)).toEqual({
    kind: "answered",
    answer: "ok",
  });
  const hopeless = failing(malformed, overloaded, malformed, malformed, malformed);
  expect(await withRetries(hopeless.attempt, { limits, random: () => 0 }, never)).toEqual({
    kind: "failed",
    failure: malformed,
    retries: 3,
  });
});

test("never makes more retries than the limit, whatever the mixture", async () => {
  const source = failing(
    ...Array.from({ length: 20 }, (_, index) => failure(index % 2 === 0 ? "overloaded" : "rate-limited")),
  );
  const settled = await withRetries(source.attempt, { limits: { ...limits, maxRetries: 4 }, random: () => 0 }, never);
  expect(settled).toMatchObject({ kind: "failed", retries: 4 });
  expect(source.attempts()).toBe(5);
});

test("draws each wait from twice the range of the one before, up to the largest", async () => {
  const source = failing(...Array.from({ length: 4 }, () => failure("overloaded")));
  const draws: number[] = [];
  const started = performance.now();
  const random = (): number => {
    draws.push(performance.now() - started);
    return 0.5;
  };
  await withRetries(source.attempt, { limits: { ...limits, baseDelayMs: 40, maxDelayMs: 100 }, random }, never);
  const waits = draws.slice(1).map((time, index) => time - (draws[index] ?? 0));
  expect(draws).toHaveLength(4);
  for (const [index, least] of [20, 40, 50].entries()) {
    expect(waits[index]).toBeGreaterThanOrEqual(least - 1);
    expect(waits[index]).toBeLessThan(least + 200);
  }
});

test("hands on how much time is left", async () => {
  let left = 0;
  await withRetries(
    async (remainingMs) => {
      left = remainingMs;
      return { kind: "answered", answer: null };
    },
    { limits: { ...limits, totalMs: 5_000 }, random: () => 0 },
    never,
  );
  expect(left).toBeGreaterThan(4_000);
  expect(left).toBeLessThanOrEqual(5_000);
});

test("does not begin a wait that would end after the time for everything", async () => {
  const source = failing(failure("rate-limited", { retryAfterMs: 2_000 }));
  const started = performance.now();
  const settled = await withRetries(source.attempt, { limits: { ...limits, totalMs: 1_000 }, random: () => 0 }, never);
  expect(settled).toMatchObject({ kind: "failed", retries: 0 });
  expect(performance.now() - started).toBeLessThan(500);
});

test("never retries more often than the caller allows", () => {
  expect(retriesFor("malformed", 1)).toBe(1);
  expect(retriesFor("malformed", 9)).toBe(2);
  expect(retriesFor("overloaded", 9)).toBe(9);
  expect(retriesFor("refused", 9)).toBe(0);
});

const now = new Date("2026-01-01T00:00:00Z");

test.each([
  [{ "retry-after": "7" }, 7_000],
  [{ "retry-after": " 1.5 " }, 1_500],
  [{ "retry-after": "0" }, 0],
  [{ "retry-after": "Thu, 01 Jan 2026 00:00:30 GMT" }, 30_000],
  [{ "retry-after": "Thu, 01 Jan 2015 00:00:30 GMT" }, 0],
  [{ "retry-after": "9", "retry-after-ms": "250" }, 250],
  [{ "retry-after": "-5" }, null],
  [{ "retry-after": "soon" }, null],
  [{ "retry-after": "" }, null],
  [{ "retry-after": "1e9" }, null],
  [{}, null],
])("reads %j as a wait of %j ms", (headers, expected) => {
  expect(retryAfterMs(new Headers(headers as Record<string, string>), now)).toBe(expected);
});
