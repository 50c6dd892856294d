import type { Model, ModelRequest, ToolDefinition } from "../../src/model/model.ts";
import { type OpenAiModelOptions, openAiModel } from "../../src/model/openai-model.ts";

/** Two of the real tools, by name and arguments. */
export const tools: readonly ToolDefinition[] = [
  {
    name: "execute",
    description: "Runs code in the live runtime.",
    parameters: {
      type: "object",
      properties: { language: { type: "string", enum: ["python", "node"] }, code: { type: "string" } },
      required: ["language", "code"],
    },
  },
  {
    name: "read_file",
    description: "Reads numbered lines.",
    parameters: {
      type: "object",
      properties: { path: { type: "string" }, start_line: { type: "integer" }, end_line: { type: "integer" } },
      required: ["path"],
    },
  },
  {
    name: "run_tests",
    description: "Runs the target.",
    parameters: { type: "object", properties: { tests: { type: "array", items: { type: "string" } } } },
  },
];

export function request(overrides: Partial<ModelRequest> = {}): ModelRequest {
  return {
    messages: [
      { role: "system", content: "You repair code." },
      { role: "user", content: "test_total fails: assert 3 == 4" },
    ],
    tools,
    maxOutputTokens: 4_096,
    ...overrides,
  };
}

/** A model at the given address that does not wait long for anything. */
export function modelAt(url: string, options: Partial<OpenAiModelOptions> = {}): Model {
  const retries = { baseDelayMs: 4, maxDelayMs: 20, ...options.retries };
  return openAiModel({
    baseUrl: url,
    apiKey: "test-key-123456",
    model: "scripted",
    random: () => 0.5,
    ...options,
    retries,
  });
}

export const never = new AbortController().signal;
