import { expect, test } from "vitest";
import { ModelError } from "../../src/errors.ts";
import type { Answer } from "../model-server/answer.ts";
import { startModelServer } from "../model-server/model-server.ts";
import { modelAt, never, request } from "./requests.ts";

const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
const json = (body: string): Answer => ({ kind: "raw", status: 200, contentType: "application/json", body });
const stream = (body: string): Answer => ({ kind: "raw", status: 200, contentType: "text/event-stream", body });

test.each<[string, Answer]>([
  [
    "an error nested too deeply",
    { kind: "raw", status: 400, contentType: "application/json", body: `{"error":{"message":"no","deep":${deep}}}` },
  ],
  [
    "an answer nested too deeply",
    json(
      `{"choices":[{"message":{"tool_calls":[{"function":{"name":"x","arguments":{"a":${deep}}}}]},"finish_reason":"stop"}]}`,
    ),
  ],
  ["an answer that is deep instead of a completion", json(deep)],
  ["wrong compression", { kind: "error", status: 200, headers: { "content-encoding": "gzip" }, body: "not gzip" }],
  ["a status that is none", { kind: "error", status: 999, headers: {}, body: {} }],
  ["no content", { kind: "raw", status: 204, contentType: "application/json", body: "" }],
  ["choices that are no list", json('{"choices":"many"}')],
  ["text that is no text", json('{"choices":[{"message":{"content":7},"finish_reason":"stop"}]}')],
  ["a list", json("[]")],
  ["an error without words", json('{"error":{}}')],
  ["an event of one endless line", stream(`data: ${"x".repeat(3_000_000)}`)],
  ["a million empty events", stream("data:\n\n".repeat(400_000))],
  ["keep-alive comments only", stream(": wait\n\n".repeat(400_000))],
])("turns %s into a ModelError", async (_name, answer) => {
  await using server = await startModelServer({ policy: () => answer });
  const model = modelAt(server.url, { maxAnswerLength: 50_000, retries: { maxRetries: 1, maxDelayMs: 1 } });
  const started = performance.now();
  await expect(model.respond(request(), never)).rejects.toBeInstanceOf(ModelError);
  expect(performance.now() - started).toBeLessThan(10_000);
});

test("takes prototype names in a call as ordinary text", async () => {
  const text = "<function=execute><parameter=__proto__>{}</parameter><parameter=constructor>x</parameter></function>";
  const answer = json(JSON.stringify({ choices: [{ message: { content: text }, finish_reason: "stop" }] }));
  await using server = await startModelServer({ policy: () => answer });
  const { toolCalls } = await modelAt(server.url).respond(request(), never);
  expect(toolCalls.map(({ name }) => name)).toEqual(["execute"]);
  expect({}).not.toHaveProperty("x");
});
