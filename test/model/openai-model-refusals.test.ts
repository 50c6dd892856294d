import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { fails, says } from "../model-server/answer.ts";
import { startModelServer } from "../model-server/model-server.ts";
import { modelAt, never, request } from "./requests.ts";

async function words(answer: ReturnType<typeof fails>): Promise<string> {
  await using server = await startModelServer({ policy: () => answer });
  const message = await modelAt(server.url, { retries: { maxRetries: 1 } })
    .respond(request(), never)
    .then(
      () => "no error",
      (error: Error) => error.message,
    );
  return message.replaceAll(String(server.port), "PORT");
}

test("names the variable of the key when it is refused, and never the key", async () => {
  await using server = await startModelServer({ policy: () => says("ok"), apiKey: "another" });
  const error = await modelAt(server.url)
    .respond(request(), never)
    .catch((reason: Error) => reason);
  expect(error).toMatchObject({ name: "ModelError", code: "infrastructure", status: 401 });
  expect((error as Error).message).toBe(
    `127.0.0.1:${server.port}/v1 does not accept the key (401): check OPENAI_API_KEY; it said: 401 Incorrect API key provided: [redacted].`.replace(
      "401 Inc",
      "Inc",
    ),
  );
});

test("names the model and the endpoint when the model is unknown", async () => {
  await using server = await startModelServer({ policy: () => says("ok"), models: ["other"] });
  await expect(modelAt(server.url, { model: "gpt-99" }).respond(request(), never)).rejects.toThrow(
    `127.0.0.1:${server.port}/v1 knows no model gpt-99, or no such address (404): check AUTOLITH_MODEL; check OPENAI_BASE_URL, which usually ends in /v1; it said: The model \`gpt-99\` does not exist`,
  );
});

test("names host and port when nothing listens there, after few tries", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  await expect(modelAt(`http://127.0.0.1:${port}/v1`).respond(request(), never)).rejects.toThrow(
    `nothing answers at 127.0.0.1:${port}, after 2 retries: check OPENAI_BASE_URL, and that the model server runs; it said: ECONNREFUSED`,
  );
});

test("names a host that does not exist", async () => {
  await expect(modelAt("http://autolith.invalid/v1").respond(request(), never)).rejects.toThrow(
    /nothing answers at autolith\.invalid:80.*(ENOTFOUND|EAI_AGAIN)/,
  );
});

test("does not follow a redirect, since the key would go along", async () => {
  const moved = { kind: "error", status: 308, headers: { location: "http://example.org/v1" }, body: {} } as const;
  expect(await words(moved)).toMatch(/redirects \(308\).*check OPENAI_BASE_URL/);
});

test("says when the conversation is too long for the model", async () => {
  const message = "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.";
  expect(await words(fails(400, message, { code: "context_length_exceeded" }))).toMatch(
    /^the conversation is longer than model scripted at 127\.0\.0\.1:PORT\/v1 can read \(400\)/,
  );
});

test("quotes the endpoint on one line, briefly, without its secrets and hidden characters", async () => {
  const secret = `ghp_${"a1B2c3D4e5".repeat(4)}`;
  const message = `no\n\tsuch\u202E thing ${secret} test-key-123456 ${"x".repeat(5_000)}`;
  const said = await words(fails(403, message));
  expect(said).toContain("check OPENAI_API_KEY and AUTOLITH_MODEL; it said: no such thing [redacted] [redacted] xxx");
  expect(said.length).toBeLessThan(600);
});

test("survives an error page of a proxy", async () => {
  const page = {
    kind: "raw",
    status: 502,
    contentType: "text/html",
    body: `<html>${"bad gateway ".repeat(50_000)}`,
  } as const;
  expect(await words(page)).toMatch(
    /cannot serve model scripted at the moment \(502\), after 1 retry; it said: <html>bad gateway/,
  );
});
