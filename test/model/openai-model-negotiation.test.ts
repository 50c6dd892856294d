import { expect, test } from "vitest";
import { says } from "../model-server/answer.ts";
import { startModelServer } from "../model-server/model-server.ts";
import { modelAt, never, request } from "./requests.ts";

test("gives up what the endpoint refuses, once, and keeps that in mind", async () => {
  await using server = await startModelServer({
    policy: () => says("ok"),
    refusesStreaming: true,
    refusesStreamOptions: true,
    refusesMaxTokens: true,
  });
  const model = modelAt(server.url);
  const turn = await model.respond(request(), never);
  expect(turn).toMatchObject({ text: "ok", usageEstimated: false });
  const before = server.requests.length;
  expect(before).toBe(4);
  await model.respond(request(), never);
  expect(server.requests.slice(before)).toHaveLength(1);
  expect(server.requests.at(-1)?.body).toEqual({
    model: "scripted",
    messages: expect.anything(),
    tools: expect.anything(),
    max_completion_tokens: 4_096,
  });
  expect(server.problems).toEqual([]);
});

test("learns the same from answers to several requests at once", async () => {
  await using server = await startModelServer({
    policy: () => says("ok"),
    refusesMaxTokens: true,
    refusesStreaming: true,
  });
  const model = modelAt(server.url);
  const turns = await Promise.all([1, 2, 3].map(() => model.respond(request(), never)));
  expect(turns.map(({ text }) => text)).toEqual(["ok", "ok", "ok"]);
});

test("does not go in circles between two refused names of one limit", async () => {
  await using server = await startModelServer({
    policy: () => says("ok"),
    refusesMaxTokens: true,
    refusesMaxCompletionTokens: true,
  });
  await expect(modelAt(server.url).respond(request(), never)).rejects.toMatchObject({ status: 400 });
  expect(server.requests).toHaveLength(2);
});

test("does not give up streaming when it is forced", async () => {
  await using server = await startModelServer({ policy: () => says("ok"), refusesStreaming: true });
  await expect(modelAt(server.url, { streaming: "always" }).respond(request(), never)).rejects.toMatchObject({
    status: 400,
  });
  expect(server.requests).toHaveLength(1);
});

test("asks for a shorter answer when the model's limit is lower, and remembers it", async () => {
  await using server = await startModelServer({ policy: () => says("ok"), outputLimit: 1_000 });
  const model = modelAt(server.url);
  await model.respond(request(), never);
  await model.respond(request(), never);
  expect(server.requests.map(({ body }) => (body as { max_tokens: number }).max_tokens)).toEqual([4_096, 1_000, 1_000]);
});
