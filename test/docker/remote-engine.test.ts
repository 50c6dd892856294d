import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { SandboxError } from "../../src/errors.ts";
import { startDockerSandbox } from "../../src/sandbox/docker-sandbox.ts";
import { connectEngine } from "../../src/sandbox/engine.ts";
import { engineAddress } from "../../src/sandbox/engine-address.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { type EngineUnderTest, engineUnderTest, never } from "./engine-under-test.ts";

/** Carries TCP connections to the engine, as a remote one would have, and can be cut. */
class Network {
  readonly #engine: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor(engine: string) {
    this.#engine = engine.replace(/^unix:\/\//, "");
    this.#server = createServer((client) => this.#carry(client));
  }

  /** As in `DOCKER_HOST`. */
  async open(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return `tcp://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** From now on nothing gets through. */
  cut(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #carry(client: Socket): void {
    const engine = connect({ path: this.#engine, allowHalfOpen: true });
    for (const [socket, other] of [
      [client, engine],
      [engine, client],
    ] as const) {
      this.#sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => other.destroy());
      socket.pipe(other);
    }
  }
}

let under: EngineUnderTest;
let network: Network;
let sandbox: Sandbox;

beforeAll(async () => {
  under = await engineUnderTest();
});

beforeEach(async () => {
  network = new Network(under.engine.address);
  const engine = await connectEngine(engineAddress({ dockerHost: await network.open() }), never);
  sandbox = await startDockerSandbox({ ...under.options, engine }, never);
});

afterEach(async () => {
  await sandbox[Symbol.asyncDispose]();
  network.cut();
  await expect.poll(() => under.leftOvers(), { timeout: 15_000 }).toEqual([]);
});

test("works over TCP as over a socket", async () => {
  const bytes = Buffer.alloc(5_000_000, "0123456789");
  await sandbox.put([{ path: "large", kind: "file", executable: false, bytes }], { reset: true }, never);
  expect(Buffer.from((await sandbox.get("large", 6_000_000, never))?.bytes ?? []).equals(bytes)).toBe(true);
  const { value } = await sandbox.execute({ language: "python", code: "20 + 1", timeoutMs: 10_000 }, never);
  expect(value).toBe("21");
});

test("rejects what is pending when the connection breaks, and the container ends by itself", async () => {
  const running = sandbox.execute({ language: "python", code: "while True: pass", timeoutMs: 60_000 }, never);
  const failed = expect(running).rejects.toThrow(SandboxError);
  await expect.poll(() => under.leftOvers()).toHaveLength(2);
  network.cut();
  await failed;
  await expect.poll(() => under.leftOvers(), { timeout: 15_000 }).toEqual([]);
});

test("is disposed of in bounded time while the engine cannot be reached", async () => {
  network.cut();
  const started = performance.now();
  await sandbox[Symbol.asyncDispose]();
  expect(performance.now() - started).toBeLessThan(7_000);
});
