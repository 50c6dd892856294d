import { afterEach, expect, test, vi } from "vitest";
import type { Message } from "../../src/model/model.ts";
import { openAiModel } from "../../src/model/openai-model.ts";
import { calls, callsAll, says } from "../model-server/answer.ts";
import { startModelServer } from "../model-server/model-server.ts";
import { scripted } from "../model-server/policies/scripted.ts";
import { modelAt, never, request } from "./requests.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

test("streams an answer with its thought, its calls and its usage", async () => {
  const code = 'print("naïve 漢字 😀")\n';
  const answer = callsAll(
    [
      { tool: "execute", arguments: { language: "python", code } },
      { tool: "run_tests", arguments: {} },
    ],
    "I look at the value 😀 first.",
  );
  const server = await startModelServer({ policy: scripted([answer]) });
  const turn = await modelAt(server.url).respond(request(), never);
  await server.close();

  expect(turn).toMatchObject({ text: "I look at the value 😀 first.", usageEstimated: false, finish: "tool-calls" });
  expect(turn.toolCalls.map(({ name, arguments: text }) => [name, JSON.parse(text)])).toEqual([
    ["execute", { language: "python", code }],
    ["run_tests", {}],
  ]);
  expect(new Set(turn.toolCalls.map(({ id }) => id)).size).toBe(2);
  expect(turn.usage.inputTokens).toBeGreaterThan(0);
  expect(turn.usage.outputTokens).toBeGreaterThan(0);
  expect(turn.durationMs).toBeGreaterThan(0);
  expect(server.requests[0]?.body).toMatchObject({
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: 4_096,
  });
});

test("gives the same turn streamed and whole", async () => {
  const answer = calls("execute", { language: "node", code: "1 + 1" }, "Let me see.");
  await using server = await startModelServer({ policy: () => answer });
  const [streamed, whole] = [
    await modelAt(server.url, { streaming: "always" }).respond(request(), never),
    await modelAt(server.url, { streaming: "never" }).respond(request(), never),
  ];
  const comparable = ({ text, toolCalls, finish }: typeof whole): unknown => ({
    text,
    finish,
    calls: toolCalls.map((call) => [call.name, call.arguments]),
  });
  expect(comparable(streamed)).toEqual(comparable(whole));
  expect(server.requests.map(({ body }) => (body as { stream?: boolean }).stream)).toEqual([true, undefined]);
});

test("carries a conversation that a strict endpoint accepts", async () => {
  const server = await startModelServer({
    policy: scripted([
      callsAll([
        { tool: "execute", arguments: { language: "python", code: "x" } },
        { tool: "run_tests", arguments: '{"tests": [' },
        { tool: "rm -rf /", arguments: "" },
      ]),
      (conversation) => says(`${conversation.calls.map(({ observation }) => observation).join(",")}`),
    ]),
  });
  const model = modelAt(server.url);
  const first = request({
    messages: [...request().messages.slice(0, 1), { role: "user", content: "half a pair: \ud83d" }],
  });
  const turn = await model.respond(first, never);
  expect(turn.toolCalls.map((call) => [call.name, call.arguments])).toEqual([
    ["execute", '{"language":"python","code":"x"}'],
    ["run_tests", '{"tests": ['],
    ["rm -rf /", ""],
  ]);
  const messages: Message[] = [
    ...first.messages,
    { role: "assistant", content: turn.text, toolCalls: turn.toolCalls },
    ...turn.toolCalls.map(({ id }, index): Message => ({ role: "tool", toolCallId: id, content: `seen ${index}` })),
    { role: "user", content: "" },
  ];
  const second = await model.respond({ ...first, messages }, never);
  await server.close();
  expect(second).toMatchObject({ text: "seen 0,seen 1,seen 2", toolCalls: [], finish: "stop" });
});

test("reports what the endpoint served from its prompt cache", async () => {
  const usage = { inputTokens: 2_000, cachedTokens: 1_536, outputTokens: 7 };
  await using server = await startModelServer({ policy: () => ({ ...says("ok"), usage }) });
  expect((await modelAt(server.url).respond(request(), never)).usage).toEqual(usage);
});

test("counts by tokenizer when the endpoint sends no usage", async () => {
  await using server = await startModelServer({ policy: () => says("The total is off by one."), usage: "never" });
  const model = modelAt(server.url);
  const turn = await model.respond(request(), never);
  expect(turn.usageEstimated).toBe(true);
  expect(turn.usage.inputTokens).toBe(model.estimateInputTokens(request()));
  expect(turn.usage.outputTokens).toBeGreaterThan(6);
  expect(turn.usage.outputTokens).toBeLessThan(16);
});

test.each([
  ["length", "length"],
  ["content_filter", "content-filter"],
  ["stop", "stop"],
] as const)("says that an answer ended by %s", async (sent, expected) => {
  await using server = await startModelServer({ policy: () => ({ ...says("cut"), finish: sent }) });
  expect((await modelAt(server.url).respond(request(), never)).finish).toBe(expected);
});

test("takes nothing from the environment", async () => {
  for (const name of ["OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"])
    vi.stubEnv(name, "leak");
  vi.stubEnv("OPENAI_BASE_URL", "http://127.0.0.1:1/leak");
  vi.stubEnv("OPENAI_CUSTOM_HEADERS", "x-leak: leak\nauthorization: leak");
  vi.stubEnv("OPENAI_LOG", "debug");
  await using server = await startModelServer({ policy: () => says("ok") });
  await modelAt(server.url).respond(request(), never);
  const headers = server.requests[0]?.headers ?? {};
  expect(JSON.stringify(headers)).not.toContain("leak");
  expect(headers).toMatchObject({ authorization: "Bearer test-key-123456", "user-agent": "autolith" });
  expect(Object.keys(headers).filter((name) => name.startsWith("x-"))).toEqual([]);
});

test("keeps a path and a query of the address", async () => {
  await using server = await startModelServer({ policy: () => says("ok") });
  const model = modelAt(`${server.url}/deployments/d/?api-version=2024-10-21`);
  await model.respond(request(), never).catch(() => undefined);
  expect(server.requests[0]?.path).toBe("/v1/deployments/d/chat/completions?api-version=2024-10-21");
  expect(model.endpoint).toBe(`127.0.0.1:${server.port}/v1/deployments/d`);
});

test.each(["not a url", "ftp://example.org/v1", "http://user:secret@example.org/v1"])(
  "refuses the address %s without repeating it",
  (baseUrl) => {
    const make = () => openAiModel({ baseUrl, apiKey: "k", model: "m" });
    expect(make).toThrow(expect.objectContaining({ code: "config" }));
    expect(make).not.toThrow(/secret/);
  },
);

test.each(["", "key\n", "two words", "schlüssel"])("refuses the key %j, which no header can hold", (apiKey) => {
  expect(() => openAiModel({ baseUrl: "http://127.0.0.1/v1", apiKey, model: "m" })).toThrow(/OPENAI_API_KEY/);
});
