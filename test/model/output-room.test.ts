import { expect, test } from "vitest";
import { failure } from "../../src/model/endpoint-failure.ts";
import { outputRoom } from "../../src/model/output-room.ts";

test.each([
  [
    "OpenAI",
    400,
    "max_tokens is too large: 65536. This model supports at most 16384 completion tokens, whereas you provided 65536.",
    16_384,
    true,
  ],
  [
    "Groq",
    400,
    "`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is less than the `context_window` for this model",
    8_192,
    true,
  ],
  [
    "Anthropic",
    400,
    "max_tokens: 65536 > 8192, which is the maximum allowed number of output tokens for claude-3-5-sonnet-20241022",
    8_192,
    true,
  ],
  [
    "vLLM",
    400,
    "This model's maximum context length is 8192 tokens. However, you requested 66536 tokens (1000 in the messages, 65536 in the completion).",
    7_192,
    false,
  ],
  [
    "newer vLLM",
    400,
    "'max_tokens' or 'max_completion_tokens' is too large: 65536. This model's maximum context length is 32768 tokens and your request has 2000 input tokens (65536 > 32768 - 2000).",
    30_768,
    false,
  ],
  [
    "OpenRouter",
    402,
    "This request requires more credits, or fewer max_tokens. You requested up to 65536 tokens, but can only afford 3000.",
    3_000,
    false,
  ],
])("reads the room for an answer from the words of %s", (_name, status, detail, tokens, lasting) => {
  expect(outputRoom(failure("refused", { status, detail }), 65_536)).toEqual({ tokens, lasting });
});

test.each([
  [400, "Unknown field temperature"],
  [
    400,
    "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens (8100 in the messages, 900 in the completion).",
  ],
  [400, "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens."],
  [400, "max_tokens must be at least 65537"],
  [400, "max_tokens is too large for gpt-4-0613"],
  [503, "max_tokens is too large: 65536. This model supports at most 16384"],
])("finds no room in %i %s", (status, detail) => {
  expect(outputRoom(failure("refused", { status, detail }), 65_536)).toBeNull();
});
