import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { checkRun, issueComment } from "../webhook/event-payloads.ts";
import { addressOf, deliver } from "./deliver.ts";
import { startApp } from "./start-app.ts";

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
  const { server, changes, lines, text } = await startApp();
  const payload = issueComment("/autolith fix a secret plan");
  const response = await deliver(server.port, { event: "issue_comment", guid: "g-1", payload, headers });
  expect([response.status, await response.json()]).toEqual([400, { error: reason }]);
  expect(changes).toEqual([]);
  expect(lines("delivery refused")).toMatchObject([{ status: 400, reason, delivery: "g-1", event: "issue_comment" }]);
  expect(text()).not.toContain("secret plan");
});

test("a signature made with another secret, or for another body, does not match", async () => {
  const { server } = await startApp();
  const signed = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
  const headers = { "x-hub-signature-256": signed };
  expect((await deliver(server.port, { event: "ping", payload: "Hello, World!", headers })).status).toBe(400);
});

test("a body that says it is too large is refused before any of it is read", async () => {
  const { server, changes } = await startApp();
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
  const { server } = await startApp({ limits: { bytes: 100_000, timeMs: 5_000, bytesInFlight: 1_000_000 } });
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
  const { server } = await startApp();
  const payload = { ...checkRun(), padding: "x".repeat(24_990_000) };
  expect((await deliver(server.port, { event: "check_run", payload })).status).toBe(200);
});

test("a body that does not arrive in time is given up", async () => {
  const { server, lines } = await startApp({ limits: { bytes: 1_000, timeMs: 100, bytesInFlight: 1_000 } });
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
  const { server } = await startApp({ limits: { bytes: 60_000, timeMs: 5_000, bytesInFlight: 100_000 } });
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
  const { server, lines } = await startApp();
  const socket = connect(server.port, "127.0.0.1");
  const head = ["POST /api/github/webhooks HTTP/1.1", "host: x", "content-length: 500"];
  socket.write([...head, `x-hub-signature-256: sha256=${"0".repeat(64)}`, "", '{"a'].join("\r\n"));
  await delay(50);
  socket.destroy();
  await delay(50);
  expect(lines("delivery refused")).toMatchObject([{ reason: "the body was cut off" }]);
  expect((await deliver(server.port, { event: "check_run", payload: checkRun() })).status).toBe(200);
});
