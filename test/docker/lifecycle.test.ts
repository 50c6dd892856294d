import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { SandboxError } from "../../src/errors.ts";
import { startDockerSandbox } from "../../src/sandbox/docker-sandbox.ts";
import { checkEngineHas } from "../../src/sandbox/engine.ts";
import { type EngineUnderTest, engineUnderTest, never } from "./engine-under-test.ts";

let under: EngineUnderTest;

beforeAll(async () => {
  under = await engineUnderTest();
});

test("leaves neither container nor volume behind, and may be disposed of twice", async () => {
  const sandbox = await under.start();
  expect((await under.leftOvers()).length).toBe(2);
  await Promise.all([sandbox[Symbol.asyncDispose](), sandbox[Symbol.asyncDispose]()]);
  await sandbox[Symbol.asyncDispose]();
  expect(await under.leftOvers()).toEqual([]);
  await expect(sandbox.list(never)).rejects.toThrow(SandboxError);
});

test("can be disposed of while it is busy", async () => {
  const sandbox = await under.start();
  const running = sandbox.execute({ language: "python", code: "while True: pass", timeoutMs: 60_000 }, never);
  const failed = expect(running).rejects.toThrow("the sandbox was disposed of");
  await sleep(300);
  const started = performance.now();
  await sandbox[Symbol.asyncDispose]();
  expect(performance.now() - started).toBeLessThan(7_000);
  await failed;
  expect(await under.leftOvers()).toEqual([]);
});

test("rejects what is pending when the container dies", async () => {
  await using sandbox = await under.start();
  const running = sandbox.execute({ language: "python", code: "while True: pass", timeoutMs: 60_000 }, never);
  const failed = expect(running).rejects.toThrow(SandboxError);
  await under.engine.docker.getContainer(sandbox.facts.containerId).kill();
  await failed;
  await expect(sandbox.list(never)).rejects.toThrow(SandboxError);
  await sandbox[Symbol.asyncDispose]();
  expect(await under.leftOvers()).toEqual([]);
});

test("kills a container that does not answer after the deadline", async () => {
  await using sandbox = await under.start({ limits: { ...under.options.limits, graceMs: 1_200 } });
  await under.engine.docker.getContainer(sandbox.facts.containerId).pause();
  const result = await sandbox.execute({ language: "python", code: "1", timeoutMs: 200 }, never);
  expect(result.status).toBe("timeout");
  await expect(sandbox.list(never)).rejects.toThrow(SandboxError);
  await sandbox[Symbol.asyncDispose]();
  expect(await under.leftOvers()).toEqual([]);
});

test("says which image is missing and how to make it", async () => {
  const image = "autolith/sandbox:no-such-tag";
  const message = /no image autolith\/sandbox:no-such-tag: make it with `npm run setup`/;
  await expect(checkEngineHas(under.engine, { image }, never)).rejects.toThrow(message);
  await expect(under.start({ image })).rejects.toThrow(message);
  await expect(under.start({ image })).rejects.toThrow(SandboxError);
});

test("accepts an engine that has the image, and says which runtime it lacks", async () => {
  await checkEngineHas(under.engine, { image: under.options.image }, never);
  const needed = { image: under.options.image, runtime: "no-such-runtime" };
  await expect(checkEngineHas(under.engine, needed, never)).rejects.toThrow(
    /no runtime no-such-runtime; it has: .*runc/,
  );
});

test("passes on why the engine refuses a container, and leaves nothing", async () => {
  const limits = { ...under.options.limits, memoryBytes: 1 };
  await expect(under.start({ limits })).rejects.toThrow(/memory limit/i);
  expect(await under.leftOvers()).toEqual([]);
});

test("leaves nothing behind when a start is aborted at any moment", async () => {
  for (const delay of [0, 20, 100, 200, 400]) {
    const abort = new AbortController();
    const starting = startDockerSandbox(under.options, abort.signal);
    setTimeout(() => abort.abort(), delay);
    const sandbox = await starting.catch(() => null);
    await sandbox?.[Symbol.asyncDispose]();
  }
  await expect.poll(() => under.leftOvers(), { timeout: 10_000 }).toEqual([]);
});
