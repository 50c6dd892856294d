import { expect, test } from "vitest";
import { Budget, type BudgetLimits, type SpendBook, type Spent } from "../../src/model/budget.ts";
import type { Model, Usage } from "../../src/model/model.ts";

const limits: BudgetLimits = { iterations: 3, tokens: 10_000, costUsd: 1, wallTimeMs: 60_000 };
const request = { messages: [], tools: [] };
const never = new AbortController().signal;

function model(overrides: Partial<Model> = {}): Model {
  return {
    name: "m",
    endpoint: "localhost",
    respond: () => Promise.reject(new Error("a call that nobody expects")),
    estimateInputTokens: () => 1_000,
    cost: () => null,
    ...overrides,
  };
}

function usage(inputTokens: number, outputTokens: number): Usage {
  return { inputTokens, cachedTokens: 0, outputTokens };
}

test("a call that fits may use what is wanted for its answer", async () => {
  expect(await new Budget(limits, model(), () => 0).reserve(request, 2_000, never)).toEqual({ maxOutputTokens: 2_000 });
});

test("an answer may use only what is left of the tokens", async () => {
  const budget = new Budget(limits, model(), () => 0);
  budget.charge(usage(8_000, 500));
  expect(await budget.reserve(request, 2_000, never)).toEqual({ maxOutputTokens: 500 });
});

test("a call whose input does not fit is not made", async () => {
  const budget = new Budget(limits, model(), () => 0);
  budget.charge(usage(8_500, 500));
  expect(await budget.reserve(request, 2_000, never)).toMatchObject({
    limit: "tokens",
    detail: expect.stringContaining("9000 of 10000 tokens used"),
  });
});

test("iterations count answered turns", async () => {
  const budget = new Budget(limits, model(), () => 0);
  for (let turn = 0; turn < 3; turn += 1) budget.charge(usage(1, 1));
  expect(await budget.reserve(request, 100, never)).toMatchObject({ limit: "iterations" });
  expect(budget.spend).toEqual({ iterations: 3, inputTokens: 3, cachedTokens: 0, outputTokens: 3, costUsd: null });
});

test("the wall time counts from the start", async () => {
  let now = 1_000;
  const budget = new Budget(limits, model(), () => now);
  now += 59_999;
  expect(budget.remainingMs).toBe(1);
  now += 1;
  expect(await budget.reserve(request, 100, never)).toMatchObject({ limit: "time" });
});

test("a call that would cost more than is left is not made", async () => {
  const priced = model({ cost: ({ inputTokens }) => inputTokens / 5_000 });
  const budget = new Budget(limits, priced, () => 0);
  budget.charge(usage(4_500, 0));
  expect(await budget.reserve(request, 100, never)).toMatchObject({
    limit: "cost",
    detail: expect.stringContaining("$0.90 of $1.00"),
  });
});

test("without a price the cost limit is off and the token limit holds", async () => {
  const budget = new Budget({ ...limits, costUsd: 0 }, model(), () => 0);
  expect(await budget.reserve(request, 100, never)).toEqual({ maxOutputTokens: 100 });
});

/** Keeps what it is told, and forbids what a test says. */
function book(forbidden: Awaited<ReturnType<SpendBook["reserve"]>> = null) {
  const told: [string, Spent][] = [];
  const kept: SpendBook = {
    reserve: async (spent) => {
      told.push(["reserve", spent]);
      return forbidden;
    },
    settle: (spent) => void told.push(["settle", spent]),
  };
  return { kept, told };
}

const priced = model({ cost: ({ inputTokens, outputTokens }) => (inputTokens + outputTokens) / 10_000 });
const nothing = { iterations: 0, inputTokens: 0, cachedTokens: 0, outputTokens: 0, costUsd: 0 };

test("a call is written down with all that it may take before it is made, and with what it took after", async () => {
  const { kept, told } = book();
  const budget = new Budget(limits, priced, () => 0, undefined, kept);
  await budget.reserve(request, 2_000, never);
  const inFlight = { inputTokens: 1_000, outputTokens: 2_000, costUsd: 0.3 };
  expect(told).toEqual([["reserve", { ...nothing, wallTimeMs: 0, inFlight, estimatedTokens: 0 }]]);
  budget.charge(usage(900, 100));
  const took = { iterations: 1, inputTokens: 900, cachedTokens: 0, outputTokens: 100, costUsd: 0.1 };
  expect(told.at(-1)).toEqual(["settle", { ...took, wallTimeMs: 0, inFlight: null, estimatedTokens: 0 }]);
});

test("a call that another limit forbids, or that the endpoint refused, is not in flight", async () => {
  const forbidding = book({ limit: "cost", detail: "the day is over" });
  const forbidden = new Budget(limits, priced, () => 0, undefined, forbidding.kept);
  expect(await forbidden.reserve(request, 2_000, never)).toEqual({ limit: "cost", detail: "the day is over" });
  expect(forbidden.spent.inFlight).toBeNull();
  const refused = new Budget(limits, priced, () => 0);
  await refused.reserve(request, 2_000, never);
  refused.release();
  expect(refused.spent).toEqual({ ...nothing, wallTimeMs: 0, inFlight: null, estimatedTokens: 0 });
});

test("what an earlier attempt took counts, its wall time too, and a call that it left open with all that it could take", async () => {
  const earlier = { iterations: 1, inputTokens: 900, cachedTokens: 300, outputTokens: 100, costUsd: 0.1 };
  const inFlight = { inputTokens: 1_000, outputTokens: 2_000, costUsd: 0.3 };
  let now = 0;
  const budget = new Budget(limits, priced, () => now, {
    ...earlier,
    wallTimeMs: 59_000,
    inFlight,
    estimatedTokens: 7,
  });
  expect(budget.spend).toEqual({
    iterations: 2,
    inputTokens: 1_900,
    cachedTokens: 300,
    outputTokens: 2_100,
    costUsd: 0.4,
  });
  expect(budget.remainingMs).toBe(1_000);
  now = 1_000;
  expect(await budget.reserve(request, 100, never)).toMatchObject({ limit: "time" });
  expect(budget.spent).toMatchObject({ wallTimeMs: 60_000, inFlight: null, estimatedTokens: 3_007 });
});
