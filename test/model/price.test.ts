import { expect, test } from "vitest";
import { priceOf } from "../../src/model/price.ts";
import { modelAt } from "./requests.ts";

const at = new Date("2026-09-01T12:00:00Z");
const million = { inputTokens: 1_000_000, cachedTokens: 0, outputTokens: 0 };

function price(model: string, baseUrl: string, usage = million): number | null {
  return priceOf(usage, { model, baseUrl, at });
}

test("prices input, cached input and output at the vendor's own endpoint", () => {
  const openAi = "https://api.openai.com/v1";
  expect(price("gpt-4o", openAi)).toBeCloseTo(2.5, 6);
  expect(price("gpt-4o", openAi, { ...million, cachedTokens: 1_000_000 })).toBeCloseTo(1.25, 6);
  expect(price("gpt-4o", openAi, { inputTokens: 0, cachedTokens: 0, outputTokens: 1_000_000 })).toBeCloseTo(10, 6);
  expect(price("gpt-4o-2024-08-06", openAi)).toBeCloseTo(2.5, 6);
  expect(price("gpt-5.1", openAi)).toBeGreaterThan(0);
});

test("never counts more tokens as cached than there were", () => {
  expect(price("gpt-4o", "https://api.openai.com/v1", { ...million, cachedTokens: 9_000_000 })).toBeCloseTo(1.25, 6);
});

test("prices the sum of answers as the sum of their prices", () => {
  const usage = { inputTokens: 150_000, cachedTokens: 50_000, outputTokens: 900 };
  const twice = { inputTokens: 300_000, cachedTokens: 100_000, outputTokens: 1_800 };
  const one = price("claude-sonnet-4-5", "https://api.anthropic.com/v1", usage) ?? Number.NaN;
  expect(price("claude-sonnet-4-5", "https://api.anthropic.com/v1", twice)).toBeCloseTo(2 * one, 9);
});

test("prices a model of a gateway that is the vendor", () => {
  expect(price("anthropic/claude-sonnet-4.5", "https://openrouter.ai/api/v1")).toBeCloseTo(3, 6);
});

test.each([
  ["gpt-99-unheard-of", "https://api.openai.com/v1"],
  ["gpt-4o", "http://localhost:11434/v1"],
  ["gpt-4o", "https://llm.example.org/https://api.openai.com/v1"],
  ["qwen2.5-coder:7b", "http://localhost:11434/v1"],
  ["Qwen/Qwen3-Coder-30B", "http://localhost:8000/v1"],
  ["openai/gpt-4o-mine", "http://localhost:8000/v1"],
  ["openai/", "http://localhost:8000/v1"],
  ["my-deployment", "https://mine.openai.azure.com/openai/v1"],
])("knows no price of %s at %s", (model, baseUrl) => {
  expect(price(model, baseUrl)).toBeNull();
});

test("prices a model behind a gateway when vendor and model are named exactly", () => {
  expect(price("openai/gpt-4o", "http://localhost:4000/v1")).toBeCloseTo(2.5, 6);
});

test("gives the model its price", () => {
  const model = modelAt("https://api.openai.com/v1", { model: "gpt-4o" });
  expect(model.cost({ inputTokens: 1_000, cachedTokens: 0, outputTokens: 100 })).toBeCloseTo(0.0035, 9);
  expect(modelAt("http://127.0.0.1:1/v1").cost(million)).toBeNull();
});
