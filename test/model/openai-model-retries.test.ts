import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { ModelError } from "../../src/errors.ts";
import { calls, fails, says } from "../model-server/answer.ts";
import { startModelServer } from "../model-server/model-server.ts";
import { endpointDown, type Outage, rateLimited } from "../model-server/policies/faults.ts";
import { scripted } from "../model-server/policies/scripted.ts";
import { modelAt, never, request } from "./requests.ts";

const fixed = calls("run_tests", {});

test.each([408, 409, 425, 429, 500, 502, 503, 529])("asks again after %i, within one turn", async (status) => {
  const server = await startModelServer({ policy: scripted([fails(status, "busy"), fails(status, "busy"), fixed]) });
  const turn = await modelAt(server.url).respond(request(), never);
  await server.close();
  expect(turn.toolCalls).toHaveLength(1);
});

test.each([400, 401, 402, 403, 404, 422, 501])("does not ask again after %i", async (status) => {
  const server = await startModelServer({ policy: scripted([fails(status, "no")]) });
  await expect(modelAt(server.url).respond(request(), never)).rejects.toMatchObject({ name: "ModelError", status });
  await server.close();
});

test("does not ask again when a 429 says that the account is empty", async () => {
  const empty = fails(429, "You exceeded your current quota", { code: "insufficient_quota" });
  const server = await startModelServer({ policy: scripted([empty]) });
  await expect(modelAt(server.url).respond(request(), never)).rejects.toThrow(/no credit left/);
  await server.close();
});

test("waits as long as Retry-After says, in seconds", async () => {
  await using server = await startModelServer({ policy: rateLimited({ times: 2, retryAfter: "0.3" }, () => fixed) });
  await modelAt(server.url).respond(request(), never);
  const [first, second, third] = server.requests.map(({ at }) => at);
  expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(299);
  expect((third ?? 0) - (second ?? 0)).toBeGreaterThanOrEqual(299);
});

test("waits until the date that Retry-After names, by the given clock", async () => {
  const now = new Date("2026-01-01T00:00:00.600Z");
  const retryAfter = "Thu, 01 Jan 2026 00:00:01 GMT";
  await using server = await startModelServer({ policy: rateLimited({ times: 1, retryAfter }, () => fixed) });
  const started = performance.now();
  await modelAt(server.url, { now: () => now }).respond(request(), never);
  expect(performance.now() - started).toBeGreaterThanOrEqual(399);
  expect(server.requests).toHaveLength(2);
});

test("stops at once when the endpoint asks to wait longer than is sensible, and says so", async () => {
  await using server = await startModelServer({ policy: rateLimited({ times: 9, retryAfter: "3600" }, () => fixed) });
  await expect(modelAt(server.url).respond(request(), never)).rejects.toThrow(/asks to wait 3600 s/);
  expect(server.requests).toHaveLength(1);
});

test("stops after the given number of retries", async () => {
  await using server = await startModelServer({ policy: endpointDown("unavailable") });
  const model = modelAt(server.url, { retries: { maxRetries: 3 } });
  await expect(model.respond(request(), never)).rejects.toThrow(
    /at the moment \(503\), after 3 retries; it said: The server is overloaded/,
  );
  expect(server.requests).toHaveLength(4);
});

test("stops when the time for everything is over", async () => {
  await using server = await startModelServer({ policy: endpointDown("unavailable") });
  const model = modelAt(server.url, { retries: { maxRetries: 1_000, baseDelayMs: 50, maxDelayMs: 50, totalMs: 400 } });
  const started = performance.now();
  await expect(model.respond(request(), never)).rejects.toBeInstanceOf(ModelError);
  expect(performance.now() - started).toBeLessThan(1_500);
  expect(server.requests.length).toBeGreaterThan(3);
});

test.each(["hang-up", "half-way"] satisfies Outage[])("asks again when the connection breaks: %s", async (outage) => {
  const broken = endpointDown(outage);
  let requests = 0;
  await using server = await startModelServer({
    policy: (conversation) => {
      requests += 1;
      return requests === 1 ? broken(conversation) : fixed;
    },
  });
  expect((await modelAt(server.url).respond(request(), never)).toolCalls).toHaveLength(1);
});

test.each([
  ["a page", { kind: "raw", status: 200, contentType: "text/html", body: "<html>login</html>" }],
  ["no JSON", { kind: "raw", status: 200, contentType: "application/json", body: '{"choices": [' }],
  ["no choices", { kind: "raw", status: 200, contentType: "application/json", body: '{"choices": []}' }],
  ["an empty stream", { kind: "raw", status: 200, contentType: "text/event-stream", body: "data: [DONE]\n\n" }],
  ["a stream of no JSON", { kind: "raw", status: 200, contentType: "text/event-stream", body: "data: {oops\n\n" }],
  [
    "a stream without its end",
    {
      kind: "raw",
      status: 200,
      contentType: "text/event-stream",
      body: 'data: {"choices":[{"delta":{"content":"a"}}]}\n\n',
    },
  ],
] as const)("asks twice more after %s, then says that it is no chat completion", async (_name, answer) => {
  await using server = await startModelServer({ policy: () => answer });
  await expect(modelAt(server.url).respond(request(), never)).rejects.toThrow(/no chat completion.*, after 2 retries/);
  expect(server.requests).toHaveLength(3);
});

test("asks again after an error inside a stream, and not when that error is final", async () => {
  const inStream = (error: object) =>
    ({
      kind: "raw",
      status: 200,
      contentType: "text/event-stream",
      body: `data: ${JSON.stringify({ error })}\n\n`,
    }) as const;
  const server = await startModelServer({
    policy: scripted([
      inStream({ message: "overloaded", type: "server_error" }),
      inStream({ message: "slow down", code: 429 }),
      inStream({ message: "bad request", code: 400 }),
    ]),
  });
  await expect(modelAt(server.url).respond(request(), never)).rejects.toThrow(
    /refuses the request.*\(400\).*bad request/,
  );
  await server.close();
});

test("gives up on an answer that stands still", async () => {
  await using server = await startModelServer({ policy: endpointDown("silence") });
  const model = modelAt(server.url, { idleMs: 60, retries: { maxRetries: 1 } });
  await expect(model.respond(request(), never)).rejects.toThrow(/did not answer in time, after 1 retry/);
  await expect.poll(() => server.requests.map(({ aborted }) => aborted)).toEqual([true, true]);
});

test("gives up on an answer that never begins", async () => {
  await using server = await startModelServer({ policy: () => ({ kind: "silence", when: "at-once" }) });
  const model = modelAt(server.url, { requestMs: 60, retries: { maxRetries: 0 } });
  await expect(model.respond(request(), never)).rejects.toThrow(/did not answer in time/);
});

test("does not give up on a slow answer that keeps coming", async () => {
  await using server = await startModelServer({ policy: () => says("word ".repeat(30)), chunkDelayMs: 25 });
  const turn = await modelAt(server.url, { idleMs: 300, retries: { maxRetries: 0 } }).respond(request(), never);
  expect(turn.text).toBe("word ".repeat(30));
  expect(turn.durationMs).toBeGreaterThan(400);
});

test.each([
  ["while the endpoint thinks", { kind: "silence", when: "at-once" }],
  ["in the middle of an answer", { kind: "silence", when: "half-way" }],
  ["while waiting for the next try", fails(503, "busy", { headers: { "retry-after": "60" } })],
] as const)("stops at once when aborted %s", async (_name, answer) => {
  await using server = await startModelServer({ policy: () => answer });
  const controller = new AbortController();
  const reason = new Error("stopped by the user");
  const turn = modelAt(server.url).respond(request(), controller.signal);
  turn.catch(() => undefined);
  while (server.requests.length === 0) await sleep(5);
  await sleep(50);
  const started = performance.now();
  controller.abort(reason);
  await expect(turn).rejects.toBe(reason);
  expect(performance.now() - started).toBeLessThan(500);
  expect(server.requests).toHaveLength(1);
});

test("sends nothing when it was aborted before", async () => {
  await using server = await startModelServer({ policy: () => fixed });
  const reason = new Error("too late");
  await expect(modelAt(server.url).respond(request(), AbortSignal.abort(reason))).rejects.toBe(reason);
  expect(server.requests).toEqual([]);
});

test("cuts an endless answer at its largest size and ends the request", async () => {
  await using server = await startModelServer({ policy: () => says("again and ".repeat(20_000)) });
  const turn = await modelAt(server.url, { maxAnswerLength: 10_000 }).respond(request(), never);
  expect(turn).toMatchObject({ finish: "length", usageEstimated: true });
  expect(turn.text).toHaveLength(10_000);
});

test("refuses a body that is larger than any answer", async () => {
  const body = JSON.stringify({ choices: [{ message: { content: "x".repeat(50_000) }, finish_reason: "stop" }] });
  await using server = await startModelServer({
    policy: () => ({ kind: "raw", status: 200, contentType: "application/json", body }),
  });
  await expect(modelAt(server.url, { maxAnswerLength: 1_000 }).respond(request(), never)).rejects.toThrow(
    /larger than any useful one/,
  );
  expect(server.requests).toHaveLength(1);
});
