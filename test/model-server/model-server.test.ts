import { expect, test } from "vitest";
import { says } from "./answer.ts";
import { startModelServer } from "./model-server.ts";

const user = { role: "user", content: "hello" };
const call = (id: string, text = "{}"): object => ({
  id,
  type: "function",
  function: { name: "execute", arguments: text },
});
const asks = (...calls: object[]): object => ({ role: "assistant", content: null, tool_calls: calls });
const answer = (id: string): object => ({ role: "tool", tool_call_id: id, content: "1" });
const tool = (parameters: object, name = "execute"): object => ({
  type: "function",
  function: { name, description: "d", parameters },
});
const schema = { type: "object", properties: { code: { type: "string" } }, required: ["code"] };

function valid(overrides: object = {}): object {
  return { model: "m", messages: [user], tools: [tool(schema)], max_tokens: 10, ...overrides };
}

async function post(url: string, body: unknown): Promise<{ status: number; text: string }> {
  const response = await fetch(`${url}/chat/completions`, {
    method: "POST",
    headers: { authorization: "Bearer key", "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

test.each([
  ["no tools", { tools: undefined }],
  ["a system message", { messages: [{ role: "system", content: "s" }, user] }],
  ["answered calls", { messages: [user, asks(call("a"), call("b")), answer("b"), answer("a")] }],
  [
    "a nested schema",
    { tools: [tool({ type: "object", properties: { ids: { type: "array", items: { type: "string" } } } })] },
  ],
])("accepts %s", async (_name, overrides) => {
  const server = await startModelServer({ policy: () => says("hi") });
  expect((await post(server.url, valid(overrides))).status).toBe(200);
  await server.close();
});

test.each([
  ["no message", { messages: [] }],
  ["no user message", { messages: [{ role: "system", content: "s" }] }],
  ["a late system message", { messages: [user, { role: "system", content: "s" }] }],
  ["the assistant in the last place", { messages: [user, { role: "assistant", content: "a" }] }],
  ["an unknown role", { messages: [{ role: "robot", content: "s" }] }],
  ["content that is no text", { messages: [{ role: "user", content: null }] }],
  ["a call without an answer", { messages: [user, asks(call("a")), user] }],
  ["a call without an answer at the end", { messages: [user, asks(call("a"), call("b")), answer("a")] }],
  ["an answer without a call", { messages: [user, answer("a")] }],
  ["an answer given twice", { messages: [user, asks(call("a")), answer("a"), answer("a")] }],
  ["two calls of one id", { messages: [user, asks(call("a")), answer("a"), asks(call("a")), answer("a")] }],
  ["malformed arguments in the past", { messages: [user, asks(call("a", "{oops")), answer("a")] }],
  ["arguments that are a list", { messages: [user, asks(call("a", "[]")), answer("a")] }],
  ["an empty list of calls", { messages: [user, { role: "assistant", content: "a", tool_calls: [] }, user] }],
  ["an assistant message without anything", { messages: [user, { role: "assistant", content: null }, user] }],
  ["half a surrogate pair", { messages: [{ role: "user", content: "\ud800" }] }],
  ["an empty list of tools", { tools: [] }],
  ["two tools of one name", { tools: [tool(schema), tool(schema)] }],
  ["a tool with a name of its own kind", { tools: [tool(schema, "run tests")] }],
  ["a schema that is no object", { tools: [tool({ type: "string" })] }],
  ["a schema that requires what it has not", { tools: [tool({ ...schema, required: ["codes"] })] }],
  ["a schema with an unknown type", { tools: [tool({ type: "object", properties: { code: { type: "text" } } })] }],
  ["a list without items", { tools: [tool({ type: "object", properties: { ids: { type: "array" } } })] }],
  ["an unknown field", { temperature_: 1 }],
  ["two limits", { max_completion_tokens: 10 }],
  ["no limit", { max_tokens: undefined }],
  ["a limit of zero", { max_tokens: 0 }],
  ["stream options without a stream", { stream_options: { include_usage: true } }],
])("refuses %s and remembers it as a problem", async (_name, overrides) => {
  const server = await startModelServer({ policy: () => says("hi") });
  expect((await post(server.url, valid(overrides))).status).toBe(400);
  expect(server.problems).toHaveLength(1);
  await expect(server.close()).rejects.toThrow(/saw problems/);
});

test("asks for user and assistant in turn when told to", async () => {
  await using server = await startModelServer({ policy: () => says("hi"), alternation: true });
  expect((await post(server.url, valid({ messages: [user, user] }))).status).toBe(400);
  expect((await post(server.url, valid({ messages: [user, { role: "assistant", content: "a" }, user] }))).status).toBe(
    200,
  );
});

test("sends the usage of a stream only when asked, and none when told to", async () => {
  await using server = await startModelServer({ policy: () => says("hi") });
  await using silent = await startModelServer({ policy: () => says("hi"), usage: "never" });
  const asked = { stream: true, stream_options: { include_usage: true } };
  expect((await post(server.url, valid(asked))).text).toContain("prompt_tokens");
  expect((await post(server.url, valid({ stream: true }))).text).not.toContain("prompt_tokens");
  expect((await post(server.url, valid())).text).toContain("prompt_tokens");
  expect((await post(silent.url, valid(asked))).text).not.toContain("prompt_tokens");
});

test("counts as cached what a prompt shares with the start of an earlier one", async () => {
  await using server = await startModelServer({ policy: () => says("hi") });
  const cached = async (messages: object[]): Promise<number> => {
    const { text } = await post(server.url, valid({ messages }));
    return JSON.parse(text).usage.prompt_tokens_details.cached_tokens;
  };
  const long = { role: "user", content: "x".repeat(8_000) };
  expect(await cached([long])).toBe(0);
  expect(await cached([long, { role: "assistant", content: "a" }, user])).toBeGreaterThanOrEqual(1_920);
  expect(await cached([{ role: "user", content: `y${long.content}` }])).toBe(0);
});

test("lists its models and knows no other address", async () => {
  await using server = await startModelServer({ policy: () => says("hi"), models: ["a", "b"] });
  const headers = { authorization: "Bearer key" };
  const list = await fetch(`${server.url}/models`, { headers });
  expect(((await list.json()) as { data: { id: string }[] }).data.map(({ id }) => id)).toEqual(["a", "b"]);
  expect((await fetch(`${server.url}/embeddings`, { headers, method: "POST" })).status).toBe(404);
  expect((await fetch(`${server.url}/models`)).status).toBe(401);
});

test("records what came and what was answered", async () => {
  await using server = await startModelServer({ policy: () => says("hi") });
  await post(server.url, valid());
  expect(server.requests).toEqual([
    expect.objectContaining({ path: "/v1/chat/completions", body: valid({}), answered: "turn", aborted: false }),
  ]);
});
