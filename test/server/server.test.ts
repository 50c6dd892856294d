import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { createNodeMiddleware, Probot } from "probot";
import { expect, onTestFinished, test } from "vitest";
import autolith from "../../src/app.ts";
import type { Change, Effect } from "../../src/job/change.ts";
import { withoutBodies } from "../../src/log/open-log.ts";
import type { BodyLimits } from "../../src/server/read-body.ts";
import { type RunningServer, startServer, webhookPath } from "../../src/server.ts";
import { checkRun, issueComment, ownAppId } from "../webhook/event-payloads.ts";
import { capturedLog } from "./captured-log.ts";
import { addressOf, deliver, secret } from "./deliver.ts";

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();

interface Parts {
  readonly accept?: (delivery: { guid: string; event: string }, change: Change) => Promise<Effect>;
  readonly checkHealth?: () => Promise<void>;
  readonly limits?: BodyLimits;
  readonly role?: "worker";
}

/** A server with the whole App behind it, where accepted changes are kept in a list. */
async function start(parts: Parts = {}) {
  const captured = capturedLog([secret]);
  const changes: Change[] = [];
  const keep = async (_delivery: unknown, change: Change): Promise<Effect> => {
    changes.push(change);
    return { kind: "accepted" };
  };
  const { log } = captured;
  const probot = new Probot({ appId: ownAppId, privateKey: pem, secret, log: withoutBodies(log) });
  const app = autolith({ ownAppId, accept: parts.accept ?? keep, log });
  const receive = await createNodeMiddleware(app, { probot, webhooksPath: webhookPath });
  const server = await startServer({
    listen: { host: "127.0.0.1", port: 0 },
    webhook: parts.role === "worker" ? null : { secret, receive, ...(parts.limits && { limits: parts.limits }) },
    checkHealth: parts.checkHealth ?? (async () => {}),
    log,
  });
  onTestFinished(() => server.close(0));
  return { ...captured, server, changes };
}

test("a signed delivery is decided about and acknowledged", async () => {
  const { server, changes } = await start();
  const response = await deliver(server.port, { event: "check_run", payload: checkRun() });
  expect([response.status, await response.text()]).toEqual([200, "ok\n"]);
  expect(changes).toMatchObject([{ kind: "fix", job: { installationId: 42 } }]);
});

test("text beyond ASCII arrives as it was signed", async () => {
  const { server, changes } = await start();
  await deliver(server.port, { event: "issue_comment", payload: issueComment("/autolith fix für 東京 \u{1f642}") });
  expect(changes).toMatchObject([{ intake: { command: { hint: "für 東京 \u{1f642}" } } }]);
});

test.each([
  ["with a wrong signature", { "x-hub-signature-256": `sha256=${"0".repeat(64)}` }, "the signature does not match"],
  ["without a signature", { "x-hub-signature-256": undefined }, "no SHA-256 signature"],
  [
    "with a SHA-1 signature only",
    { "x-hub-signature-256": undefined, "x-hub-signature": `sha1=${"0".repeat(40)}` },
    "no SHA-256 signature",
  ],
  ["with a signature of another form", { "x-hub-signature-256": "sha256=abc" }, "no SHA-256 signature"],
])("a delivery %s is refused with one line in the log, without its body", async (_how, headers, reason) => {
  const { server, changes, lines, text } = await start();
  const payload = issueComment("/autolith fix a secret plan");
  const response = await deliver(server.port, { event: "issue_comment", guid: "g-1", payload, headers });
  expect([response.status, await response.json()]).toEqual([400, { error: reason }]);
  expect(changes).toEqual([]);
  expect(lines("delivery refused")).toMatchObject([{ status: 400, reason, delivery: "g-1", event: "issue_comment" }]);
  expect(text()).not.toContain("secret plan");
});

test("a signature made with another secret, or for another body, does not match", async () => {
  const { server } = await start();
  const signed = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
  const headers = { "x-hub-signature-256": signed };
  expect((await deliver(server.port, { event: "ping", payload: "Hello, World!", headers })).status).toBe(400);
});

test("a body that says it is too large is refused before any of it is read", async () => {
  const { server, changes } = await start();
  const sender = request(addressOf(server.port), {
    method: "POST",
    headers: { "content-length": 25_000_001, "x-hub-signature-256": `sha256=${"0".repeat(64)}` },
  });
  sender.on("error", () => {});
  sender.flushHeaders();
  const [response] = await once(sender, "response");
  expect([response.statusCode, response.headers.connection]).toEqual([413, "close"]);
  sender.destroy();
  expect(changes).toEqual([]);
});

test("a body that turns out too large is refused when it does, and not kept", async () => {
  const { server } = await start({ limits: { bytes: 100_000, timeMs: 5_000, bytesInFlight: 1_000_000 } });
  const sender = request(addressOf(server.port), {
    method: "POST",
    headers: { "transfer-encoding": "chunked", "x-hub-signature-256": `sha256=${"0".repeat(64)}` },
  });
  sender.on("error", () => {});
  const response = once(sender, "response");
  sender.write("x".repeat(60_000));
  sender.write("x".repeat(60_000));
  expect((await response)[0].statusCode).toBe(413);
  sender.destroy();
});

test("the largest body that GitHub sends is taken", async () => {
  const { server } = await start();
  const payload = { ...checkRun(), padding: "x".repeat(24_990_000) };
  expect((await deliver(server.port, { event: "check_run", payload })).status).toBe(200);
});

test("a body that does not arrive in time is given up", async () => {
  const { server, lines } = await start({ limits: { bytes: 1_000, timeMs: 100, bytesInFlight: 1_000 } });
  const sender = request(addressOf(server.port), {
    method: "POST",
    headers: { "content-length": 500, "x-hub-signature-256": `sha256=${"0".repeat(64)}` },
  });
  sender.on("error", () => {});
  sender.write("{");
  const [response] = await once(sender, "response");
  expect(response.statusCode).toBe(408);
  sender.destroy();
  expect(lines("delivery refused")).toHaveLength(1);
});

test("bodies that arrive together cannot fill the memory, and room is made again", async () => {
  const { server } = await start({ limits: { bytes: 60_000, timeMs: 5_000, bytesInFlight: 100_000 } });
  const senders = [1, 2].map(() => {
    const sender = request(addressOf(server.port), {
      method: "POST",
      headers: { "content-length": 60_000, "x-hub-signature-256": `sha256=${"0".repeat(64)}` },
    });
    sender.on("error", () => {});
    sender.write("x".repeat(55_000));
    return sender;
  });
  const [response] = await Promise.race(senders.map((sender) => once(sender, "response")));
  expect(response.statusCode).toBe(503);
  for (const sender of senders) sender.destroy();
  await delay(50);
  expect((await deliver(server.port, { event: "check_run", payload: checkRun() })).status).toBe(200);
});

test("a caller that goes away in the middle of a body does no harm", async () => {
  const { server, lines } = await start();
  const socket = connect(server.port, "127.0.0.1");
  const head = ["POST /api/github/webhooks HTTP/1.1", "host: x", "content-length: 500"];
  socket.write([...head, `x-hub-signature-256: sha256=${"0".repeat(64)}`, "", '{"a'].join("\r\n"));
  await delay(50);
  socket.destroy();
  await delay(50);
  expect(lines("delivery refused")).toMatchObject([{ reason: "the body was cut off" }]);
  expect((await deliver(server.port, { event: "check_run", payload: checkRun() })).status).toBe(200);
});

test.each([
  ["a form", { headers: { "content-type": "application/x-www-form-urlencoded" }, payload: "payload=%7B%7D" }, 415],
  ["no event", { headers: { "x-github-event": undefined }, payload: checkRun() }, 400],
  ["no GUID", { headers: { "x-github-delivery": undefined }, payload: checkRun() }, 400],
  ["invalid JSON", { payload: "{" }, 400],
  ["an event that nobody listens to", { event: "star", payload: { action: "created" } }, 200],
  ["a payload that nobody understands", { payload: { action: "completed", check_run: 1 } }, 200],
])("a signed delivery with %s is answered", async (_what, parts, status) => {
  const { server, changes } = await start();
  expect((await deliver(server.port, { event: "check_run", ...parts })).status).toBe(status);
  expect(changes).toEqual([]);
});

test("a delivery that cannot be stored is a failure at GitHub, which learns nothing about the reason", async () => {
  const query = Object.assign(new Error("Failed query: insert … params: /autolith fix a secret plan"), {
    query: "insert …",
    params: ["a secret plan"],
    cause: Object.assign(new Error("connection refused"), { code: "ECONNREFUSED" }),
  });
  const { server, lines, text } = await start({ accept: () => Promise.reject(query) });
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
  const { server, text } = await start();
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
  const { server } = await start({ accept });
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
  const { server } = await start({ accept });
  const waiting = deliver(server.port, { event: "check_run", payload: checkRun() });
  await arrived.promise;
  const closed = server.close(5_000);
  await expect(fetch(addressOf(server.port, "/healthz"))).rejects.toThrow();
  stored.resolve({ kind: "accepted" });
  expect((await waiting).status).toBe(200);
  await closed;
});

test("closing does not wait longer than it was given", async () => {
  const { server } = await start({ accept: () => new Promise(() => {}) });
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
  const { server } = await start({ checkHealth });
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
  const { server } = await start();
  expect((await fetch(addressOf(server.port, path), { method })).status).toBe(status);
});

test("a process that only works takes no deliveries", async () => {
  const { server } = await start({ role: "worker" });
  expect((await deliver(server.port, { event: "check_run", payload: checkRun() })).status).toBe(404);
  expect((await fetch(addressOf(server.port, "/healthz"))).status).toBe(200);
});

test("a port that is taken is an error of the configuration", async () => {
  const { server, log } = await start();
  const second = startServer({
    listen: { host: "127.0.0.1", port: server.port },
    webhook: null,
    checkHealth: async () => {},
    log,
  });
  await expect(second satisfies Promise<RunningServer>).rejects.toThrow(`cannot listen on 127.0.0.1:${server.port}`);
});
