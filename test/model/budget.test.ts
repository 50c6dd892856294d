import { expect, test } from "vitest";
import { Budget, type BudgetLimits } from "../../src/model/budget.ts";
import type { Model, Usage } from "../../src/model/model.ts";

const limits: BudgetLimits = { iterations: 3, tokens: 10_000, costUsd: 1, wallTimeMs: 60_000 };
const request = { messages: [], tools: [] };

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

test("a call that fits may use what is wanted for its answer", () => {
  expect(new Budget(limits, model(), () => 0).reserve(request, 2_000)).toEqual({ maxOutputTokens: 2_000 });
});

test("an answer may use only what is left of the tokens", () => {
  const budget = new Budget(limits, model(), () => 0);
  budget.charge(usage(8_000, 500));
  expect(budget.reserve(request, 2_000)).toEqual({ maxOutputTokens: 500 });
});

test("a call whose input does not fit is not made", () => {
  const budget = new Budget(limits, model(), () => 0);
  budget.charge(usage(8_500, 500));
  expect(budget.reserve(request, 2_000)).toMatchObject({
    limit: "tokens",
    detail: expect.stringContaining("9000 of 10000 tokens used"),
  });
});

test("iterations count answered turns", () => {
  const budget = new Budget(limits, model(), () => 0);
  for (let turn = 0; turn < 3; turn += 1) budget.charge(usage(1, 1));
  expect(budget.reserve(request, 100)).toMatchObject({ limit: "iterations" });
  expect(budget.spend).toEqual({ iterations: 3, inputTokens: 3, cachedTokens: 0, outputTokens: 3, costUsd: null });
});

test("the wall time counts from the start", () => {
  let now = 1_000;
  const budget = new Budget(limits, model(), () => now);
  now += 59_999;
  expect(budget.remainingMs).toBe(1);
  now += 1;
  expect(budget.reserve(request, 100)).toMatchObject({ limit: "time" });
});

test("a call that would cost more than is left is not made", () => {
  const priced = model({ cost: ({ inputTokens }) => inputTokens / 5_000 });
  const budget = new Budget(limits, priced, () => 0);
  budget.charge(usage(4_500, 0));
  expect(budget.reserve(request, 100)).toMatchObject({
    limit: "cost",
    detail: expect.stringContaining("$0.90 of $1.00"),
  });
});

test("without a price the cost limit is off and the token limit holds", () => {
  const budget = new Budget({ ...limits, costUsd: 0 }, model(), () => 0);
  expect(budget.reserve(request, 100)).toEqual({ maxOutputTokens: 100 });
});
