import { expect, test } from "vitest";
import type { Message, ModelTurn } from "../../src/model/model.ts";
import { type Answer, calls, callsAll, says } from "../model-server/answer.ts";
import { type ModelServerOptions, startModelServer } from "../model-server/model-server.ts";
import { scripted } from "../model-server/policies/scripted.ts";
import type { TextForm } from "../model-server/text-form.ts";
import { modelAt, never, request } from "./requests.ts";

const code = 'text = """a < b && c > d"""\nprint(text)';

test.each([
  "fenced-json",
  "tool-call-tag",
  "react",
  "function-tag",
  "function-parameters",
  "bare-json",
] satisfies TextForm[])("understands calls written as %s by a server without tool support", async (form) => {
  const server = await startModelServer({ policy: scripted([calls("execute", { language: "python", code })]), form });
  const turn = await modelAt(server.url).respond(request(), never);
  await server.close();
  expect(turn).toMatchObject({ text: "", finish: "tool-calls" });
  expect(turn.toolCalls).toEqual([
    { id: expect.stringMatching(/^[a-z0-9]{9}$/), name: "execute", arguments: expect.anything() },
  ]);
  expect(JSON.parse(turn.toolCalls[0]?.arguments ?? "")).toEqual({ language: "python", code });
});

test("describes tools in the prompt when the endpoint refuses them, for the rest of the conversation", async () => {
  const server = await startModelServer({
    refusesTools: true,
    alternation: true,
    policy: scripted([
      callsAll(
        [
          { tool: "execute", arguments: { language: "python", code } },
          { tool: "run_tests", arguments: "{broken" },
        ],
        "Two at once.",
      ),
      (conversation) => says(`Seen: ${JSON.stringify(conversation.calls)}`),
    ]),
  });
  const model = modelAt(server.url);
  const turn = await model.respond(request(), never);
  expect(turn.text).toBe("Two at once.");
  expect(turn.toolCalls.map((call) => call.name)).toEqual(["execute", "run_tests"]);
  expect(turn.toolCalls[1]?.arguments).toContain("{broken");
  const second = await model.respond(request({ messages: answered(turn, ["<out>", "not valid"]) }), never);
  await server.close();
  expect(JSON.parse(second.text.slice(6))).toEqual([
    { tool: "execute", arguments: { language: "python", code }, observation: "<out>" },
    { tool: "run_tests", arguments: expect.anything(), observation: "not valid" },
  ]);
  expect(server.requests.map(({ answered }) => answered)).toEqual(["error 400", "turn", "turn"]);
});

function answered(turn: ModelTurn, observations: readonly string[]): Message[] {
  return [
    ...request().messages,
    { role: "assistant", content: turn.text, toolCalls: turn.toolCalls },
    ...turn.toolCalls.map(
      ({ id }, index): Message => ({ role: "tool", toolCallId: id, content: observations[index] ?? "" }),
    ),
    { role: "user", content: "Go on." },
  ];
}

test("keeps the prefix of the prompt unchanged from turn to turn without tool support", async () => {
  await using server = await startModelServer({ policy: () => says("Thinking."), refusesTools: true });
  const model = modelAt(server.url);
  const first = await model.respond(request(), never);
  await model.respond(request({ messages: answered(first, []) }), never);
  const [, one, two] = server.requests.map(({ body }) => (body as { messages: unknown[] }).messages);
  expect(two?.slice(0, one?.length)).toEqual(one);
});

test("does not take a complaint about the conversation for missing tool support", async () => {
  const message = "Unexpected role 'tool' after role 'user': tool_call_id is unknown";
  const refusal: Answer = { kind: "error", status: 400, headers: {}, body: { error: { message } } };
  await using server = await startModelServer({ policy: () => refusal });
  await expect(modelAt(server.url).respond(request(), never)).rejects.toMatchObject({ status: 400 });
  expect(server.requests).toHaveLength(1);
});

test("does not take an error in the middle of streaming for missing support of streams", async () => {
  const failed: Answer = {
    kind: "error",
    status: 500,
    headers: {},
    body: { error: "unexpected end of the tool stream" },
  };
  const server = await startModelServer({ policy: scripted([failed, says("ok")]) });
  await modelAt(server.url).respond(request(), never);
  await server.close();
  expect(server.requests[1]?.body).toEqual(server.requests[0]?.body);
});

test.each([
  '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
  "No endpoints found that support tool use. Try disabling the tools.",
  "Unrecognized request argument supplied: tools",
  "tools param requires --jinja flag",
])("knows that tools are not supported from: %s", async (message) => {
  const refusal: Answer = { kind: "error", status: 400, headers: {}, body: { error: { message } } };
  const server = await startModelServer({ policy: scripted([refusal, says("ok")]) });
  expect((await modelAt(server.url).respond(request(), never)).text).toBe("ok");
  await server.close();
  expect(server.requests[1]?.body).not.toHaveProperty("tools");
});

async function turnFor(body: unknown, options: Partial<ModelServerOptions> = {}): Promise<ModelTurn> {
  const raw: Answer =
    typeof body === "string"
      ? { kind: "raw", status: 200, contentType: "text/event-stream", body }
      : { kind: "raw", status: 200, contentType: "application/json; charset=utf-8", body: JSON.stringify(body) };
  await using server = await startModelServer({ policy: () => raw, ...options });
  return await modelAt(server.url).respond(request(), never);
}

test("takes a whole answer from an endpoint that ignores the wish for a stream", async () => {
  const turn = await turnFor({
    choices: [{ message: { content: "whole" }, finish_reason: "stop" }],
    usage: { prompt_tokens: 5, completion_tokens: 2 },
  });
  expect(turn).toMatchObject({ text: "whole", usage: { inputTokens: 5, cachedTokens: 0, outputTokens: 2 } });
});

test("takes arguments as an object, content in parts, and calls without ids", async () => {
  const call = { type: "function", function: { name: "run_tests", arguments: { tests: ["a"] } } };
  const content = [
    { type: "thinking", thinking: [] },
    { type: "text", text: "one " },
    { type: "text", text: "two" },
  ];
  const turn = await turnFor({
    choices: [{ message: { content, tool_calls: [call, call] }, finish_reason: "tool_calls" }],
  });
  expect(turn.text).toBe("one two");
  expect(turn.toolCalls).toEqual([
    { id: "call00001", name: "run_tests", arguments: '{"tests":["a"]}' },
    { id: "call00002", name: "run_tests", arguments: '{"tests":["a"]}' },
  ]);
});

test("gives a new id to a call whose id was used before", async () => {
  const call = (id: string): object => ({ id, function: { name: "run_tests", arguments: "{}" } });
  const body = JSON.stringify({
    choices: [{ message: { tool_calls: [call("call_0"), call("call_0")] }, finish_reason: "tool_calls" }],
  });
  await using server = await startModelServer({
    policy: () => ({ kind: "raw", status: 200, contentType: "application/json", body }),
  });
  const model = modelAt(server.url);
  const first = await model.respond(request(), never);
  const second = await model.respond(request({ messages: answered(first, ["", ""]) }), never);
  expect(first.toolCalls.map(({ id }) => id)).toEqual(["call_0", "call00001"]);
  expect(second.toolCalls.map(({ id }) => id)).toEqual(["call00002", "call00003"]);
});

test("tells streamed calls apart that share an index or have none", async () => {
  const chunk = (...toolCalls: object[]): string =>
    `data: ${JSON.stringify({ choices: [{ delta: { tool_calls: toolCalls } }] })}\n\n`;
  const stream = [
    chunk({ index: 0, id: "a", function: { name: "run_tests", arguments: "{}" } }),
    chunk({ index: 0, id: "b", function: { name: "read_file", arguments: '{"path":' } }),
    chunk({ index: 0, function: { arguments: '"x"}' } }),
    chunk({ id: "c", function: { name: "run_tests", arguments: "{" } }),
    chunk({ function: { arguments: "}" } }),
    `: keep-alive\n\ndata: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: "tool_calls" }], usage: null })}\n\n`,
    "data: [DONE]\n\n",
  ].join("");
  const turn = await turnFor(stream);
  expect(turn.toolCalls).toEqual([
    { id: "a", name: "run_tests", arguments: "{}" },
    { id: "b", name: "read_file", arguments: '{"path":"x"}' },
    { id: "c", name: "run_tests", arguments: "{}" },
  ]);
});

test("counts by tokenizer when the usage makes no sense", async () => {
  for (const usage of [{ prompt_tokens: 0, completion_tokens: 0 }, { prompt_tokens: -5 }, "many", null]) {
    const turn = await turnFor({ choices: [{ message: { content: "ok" }, finish_reason: "stop" }], usage });
    expect(turn.usageEstimated).toBe(true);
  }
});

test("takes a refusal of the model as its text", async () => {
  const turn = await turnFor({
    choices: [{ message: { content: null, refusal: "I cannot help." }, finish_reason: "stop" }],
  });
  expect(turn.text).toBe("I cannot help.");
});

test("passes on an empty answer as an empty turn", async () => {
  const turn = await turnFor({ choices: [{ message: { content: null }, finish_reason: "stop" }] });
  expect(turn).toMatchObject({ text: "", toolCalls: [], finish: "stop" });
});
