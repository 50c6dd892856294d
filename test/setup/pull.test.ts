import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import Docker from "dockerode";
import { expect, onTestFinished, test } from "vitest";
import { pullImage } from "../../sandbox/setup/pull.ts";

/** An engine that answers every request for an image with the given function. */
async function engineThat(answer: (response: ServerResponse) => void): Promise<Docker> {
  const server = createServer((_, response) => answer(response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return new Docker({ host: "127.0.0.1", port: (server.address() as AddressInfo).port, protocol: "http" });
}

const report = (response: ServerResponse, event: object) => response.write(`${JSON.stringify(event)}\r\n`);

test("gives up on a registry from which nothing comes", async () => {
  const docker = await engineThat(() => {});
  await expect(pullImage(docker, "debian:x", 200)).rejects.toThrow("pull debian:x: no sign of life for 0.2 s");
});

test("gives up on a pull that stops half-way", async () => {
  const docker = await engineThat((response) => report(response, { status: "Pulling" }));
  await expect(pullImage(docker, "debian:x", 200)).rejects.toThrow("pull debian:x: no sign of life for 0.2 s");
});

test("waits for a slow registry as long as something comes", async () => {
  const docker = await engineThat(async (response) => {
    for (let layer = 0; layer < 5; layer++) {
      report(response, { status: "Downloading", id: String(layer) });
      await delay(100);
    }
    response.end();
  });
  await pullImage(docker, "debian:x", 400);
});

test("passes on a registry's refusal", async () => {
  const docker = await engineThat((response) => {
    response.statusCode = 404;
    response.end(JSON.stringify({ message: "manifest unknown" }));
  });
  await expect(pullImage(docker, "debian:x")).rejects.toThrow("manifest unknown");
});
