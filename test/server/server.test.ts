import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Effect } from "../../src/job/change.ts";
import { type RunningServer, startServer } from "../../src/server.ts";
import { checkRun, issueComment } from "../webhook/event-payloads.ts";
import { addressOf, deliver } from "./deliver.ts";
import { startApp } from "./start-app.ts";

test("a signed delivery is decided about and acknowledged", async () => {
  const { server, changes } = await startApp();
  const response = await deliver(server.port, { event: "check_run", payload: checkRun() });
  expect([response.status, await response.text()]).toEqual([200, "ok\n"]);
  expect(changes).toMatchObject([{ kind: "fix", job: { installationId: 42 } }]);
});

test("text beyond ASCII arrives as it was signed", async () => {
  const { server, changes } = await startApp();
  await deliver(server.port, { event: "issue_comment", payload: issueComment("/autolith fix für 東京 \u{1f642}") });
  expect(changes).toMatchObject([{ intake: { command: { hint: "für 東京 \u{1f642}" } } }]);
});

test.each([
  ["a form", { headers: { "content-type": "application/x-www-form-urlencoded" }, payload: "payload=%7B%7D" }, 415],
  ["no event", { headers: { "x-github-event": undefined }, payload: checkRun() }, 400],
  ["no GUID", { headers: { "x-github-delivery": undefined }, payload: checkRun() }, 400],
  ["invalid JSON", { payload: "{" }, 400],
  ["an event that nobody listens to", { event: "star", payload: { action: "created" } }, 200],
  ["a payload that nobody understands", { payload: { action: "completed", check_run: 1 } }, 200],
])("a signed delivery with %s is answered", async (_what, parts, status) => {
  const { server, changes } = await startApp();
  expect((await deliver(server.port, { event: "check_run", ...parts })).status).toBe(status);
  expect(changes).toEqual([]);
});

test("a delivery that cannot be stored is a failure at GitHub, which learns nothing about the reason", async () => {
  const query = Object.assign(new Error("Failed query: insert … params: /autolith fix a secret plan"), {
    query: "insert …",
    params: ["a secret plan"],
    cause: Object.assign(new Error("connection refused"), { code: "ECONNREFUSED" }),
  });
  const { server, lines, text } = await startApp({ accept: () => Promise.reject(query) });
  const response = await deliver(server.port, {
    event: "issue_comment",
    payload: issueComment("/autolith fix a secret plan"),
  });
  expect([response.status, await response.json()]).toEqual([
    500,
    { error: "AutolithError: the delivery could not be stored" },
  ]);
  expect(lines("delivery could not be stored")).toMatchObject([
    { err: { message: "connection refused", code: "ECONNREFUSED" } },
  ]);
  expect(text()).not.toContain("secret plan");
});

test("neither secrets nor headers nor bodies are logged, at the most talkative level either", async () => {
  const { server, text } = await startApp();
  const payload = issueComment("/autolith fix with ghp_0123456789abcdefghijklmnopqrstuvwxyz");
  const headers = { authorization: "Bearer hunter2-hunter2-hunter2", cookie: "session=hunter3" };
  await deliver(server.port, { event: "issue_comment", payload, headers });
  expect(text()).toContain("delivery accepted");
  expect(text()).not.toMatch(/hunter|ghp_|sha256=|the secret of the tests|author_association/);
});

test("an acknowledgement does not wait for other deliveries", async () => {
  const slow = Promise.withResolvers<Effect>();
  const accept = ({ guid }: { guid: string }): Promise<Effect> =>
    guid === "slow" ? slow.promise : Promise.resolve({ kind: "accepted" });
  const { server } = await startApp({ accept });
  const waiting = deliver(server.port, { event: "check_run", guid: "slow", payload: checkRun() });
  expect((await deliver(server.port, { event: "check_run", payload: checkRun() })).status).toBe(200);
  slow.resolve({ kind: "accepted" });
  expect((await waiting).status).toBe(200);
});

test("closing lets deliveries under way end, and takes no more", async () => {
  const stored = Promise.withResolvers<Effect>();
  const arrived = Promise.withResolvers<void>();
  const accept = (): Promise<Effect> => {
    arrived.resolve();
    return stored.promise;
  };
  const { server } = await startApp({ accept });
  const waiting = deliver(server.port, { event: "check_run", payload: checkRun() });
  await arrived.promise;
  const closed = server.close(5_000);
  await expect(fetch(addressOf(server.port, "/healthz"))).rejects.toThrow();
  stored.resolve({ kind: "accepted" });
  expect((await waiting).status).toBe(200);
  await closed;
});

test("closing does not wait longer than it was given", async () => {
  const { server } = await startApp({ accept: () => new Promise(() => {}) });
  const waiting = deliver(server.port, { event: "check_run", payload: checkRun() }).catch(() => "cut off");
  await delay(50);
  const begin = performance.now();
  await server.close(100);
  expect(performance.now() - begin).toBeLessThan(1_000);
  expect(await waiting).toBe("cut off");
});

test.each([
  ["well", async () => {}, 200, { status: "ok" }],
  ["unwell", () => Promise.reject(new Error("password authentication failed")), 503, { status: "unavailable" }],
])("a server that is %s says so and no more", async (_how, checkHealth, status, body) => {
  const { server } = await startApp({ checkHealth });
  const response = await fetch(addressOf(server.port, "/healthz?verbose=1"));
  expect([response.status, await response.json()]).toEqual([status, body]);
});

test.each([
  ["GET", "/api/github/webhooks", 405],
  ["POST", "/healthz", 405],
  ["GET", "/", 404],
  ["POST", "/", 404],
  ["GET", "/probot", 404],
  ["POST", "/probot/import", 404],
  ["GET", "/ping", 404],
])("%s %s is answered with %i", async (method, path, status) => {
  const { server } = await startApp();
  expect((await fetch(addressOf(server.port, path), { method })).status).toBe(status);
});

test("a process that only works takes no deliveries", async () => {
  const { server } = await startApp({ role: "worker" });
  expect((await deliver(server.port, { event: "check_run", payload: checkRun() })).status).toBe(404);
  expect((await fetch(addressOf(server.port, "/healthz"))).status).toBe(200);
});

test("a port that is taken is an error of the configuration", async () => {
  const { server, log } = await startApp();
  const second = startServer({
    listen: { host: "127.0.0.1", port: server.port },
    webhook: null,
    checkHealth: async () => {},
    log,
  });
  await expect(second satisfies Promise<RunningServer>).rejects.toThrow(`cannot listen on 127.0.0.1:${server.port}`);
});
