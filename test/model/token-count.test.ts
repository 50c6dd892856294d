import { expect, test } from "vitest";
import type { Message } from "../../src/model/model.ts";
import { countRequestTokens, countTokens, estimateUsage } from "../../src/model/token-count.ts";
import { expectLinear } from "../linear-time.ts";
import { request } from "./requests.ts";

test("counts as the tokenizer of current models does", () => {
  expect(countTokens("")).toBe(0);
  expect(countTokens("Hello, world!")).toBe(4);
});

test("counts special tokens as the text that they are", () => {
  expect(countTokens("<|endoftext|><|im_start|>")).toBeGreaterThan(6);
});

test("counts a long text within a percent of counting it whole", () => {
  const sentence = "The quick brown fox jumps over the lazy dog. ";
  const whole = countTokens(sentence.repeat(10)) * 200;
  expect(Math.abs(countTokens(sentence.repeat(2_000)) - whole) / whole).toBeLessThan(0.02);
  expect(Math.abs(countTokens(sentence.repeat(200_000)) - whole * 100) / (whole * 100)).toBeLessThan(0.02);
});

const noise = Array.from({ length: 1_000 }, (_, index) =>
  String.fromCharCode(97 + ((index * index * 7 + index * 13) % 26)),
).join("");

test.each([
  ["one letter", "a"],
  ["spaces", " "],
  ["line ends", "\n"],
  ["half surrogate pairs", "\ud800"],
  ["emoji", "😀"],
  ["noise", noise],
])("counts a text of %s in linear time", (_name, piece) => {
  expect(countTokens(piece.repeat(100))).toBeGreaterThan(0);
  expectLinear((size) => countTokens(piece.repeat(Math.ceil(size / piece.length))), 400_000);
});

test("counts messages, calls and tools of a request", () => {
  const plain = countRequestTokens(request({ tools: [] }));
  const withTools = countRequestTokens(request());
  const calls = [{ id: "a", name: "execute", arguments: '{"code": "print(1)"}' }];
  const messages: Message[] = [...request().messages, { role: "assistant", content: "", toolCalls: calls }];
  expect(withTools).toBeGreaterThan(plain + 50);
  expect(countRequestTokens(request({ messages }))).toBeGreaterThan(withTools + 8);
});

test("counts a message once, however many requests carry it", () => {
  let reads = 0;
  const message: Message = {
    role: "user",
    get content() {
      reads += 1;
      return "text";
    },
  };
  countRequestTokens(request({ messages: [message] }));
  countRequestTokens(request({ messages: [message, { role: "user", content: "more" }] }));
  expect(reads).toBe(1);
});

test("estimates the usage of an answer from its text and calls", () => {
  const usage = estimateUsage(request(), {
    text: "I see.",
    toolCalls: [{ id: "a", name: "run_tests", arguments: "{}" }],
  });
  expect(usage).toMatchObject({ inputTokens: countRequestTokens(request()), cachedTokens: 0 });
  expect(usage.outputTokens).toBeGreaterThan(5);
});
