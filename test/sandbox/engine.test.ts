import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { SandboxError } from "../../src/errors.ts";
import { connectEngine } from "../../src/sandbox/engine.ts";

const never = new AbortController().signal;
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A real HTTP server that answers like an engine; resolves with its port. */
async function engine(answer: RequestListener): Promise<number> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return (server.address() as AddressInfo).port;
}

function answering(version: object, info: object): RequestListener {
  return ({ url }, response) => response.end(JSON.stringify(url?.includes("/version") ? version : info));
}

function connect(port: number, signal = never) {
  return connectEngine({ kind: "http", host: "127.0.0.1", port }, signal);
}

test("knows what the engine can do", async () => {
  const info = { CgroupVersion: "2", NCPU: 4, Runtimes: { runc: {}, runsc: {} } };
  const port = await engine(answering({ Version: "29.5.1", ApiVersion: "1.52" }, info));
  expect(await connect(port)).toMatchObject({
    address: `http://127.0.0.1:${port}`,
    version: "29.5.1",
    apiVersion: "1.52",
    cgroupVersion: 2,
    cpus: 4,
    runtimes: ["runc", "runsc"],
  });
});

test.each(["1.40", "1.9", "0.99"])("refuses an engine of API %s", async (ApiVersion) => {
  const port = await engine(answering({ Version: "19.3", ApiVersion }, { NCPU: 1 }));
  await expect(connect(port)).rejects.toThrow(/speaks API .*; Autolith needs 1\.41 or newer/);
});

test("says that something else than an engine answers", async () => {
  const port = await engine((_request, response) => response.end("<html>hello</html>"));
  await expect(connect(port)).rejects.toThrow(
    `http://127.0.0.1:${port} cannot be used: it does not answer like Docker`,
  );
});

test("names the address when nothing listens there", async () => {
  const port = await engine(() => undefined);
  const server = servers.pop();
  await new Promise((closed) => server?.close(closed));
  const error = await connect(port).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(SandboxError);
  expect((error as Error).message).toContain(`http://127.0.0.1:${port}`);
  expect((error as Error).message).toContain("is Docker running?");
});

test("names the socket that is not there", async () => {
  const path = "/nonexistent/docker.sock";
  await expect(connectEngine({ kind: "socket", path }, never)).rejects.toThrow(
    /unix:\/\/\/nonexistent\/docker\.sock.*running/,
  );
});

test("stops waiting for an engine that does not answer when aborted", async () => {
  const port = await engine(() => undefined);
  const reason = new Error("enough");
  const abort = new AbortController();
  const connecting = connect(port, abort.signal);
  setTimeout(() => abort.abort(reason), 20);
  await expect(connecting).rejects.toBe(reason);
});
