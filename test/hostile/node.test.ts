import { expect, test } from "vitest";
import { defaultSandboxLimits } from "../../src/sandbox/limits.ts";
import { hostileSandbox } from "./hostile-sandbox.ts";

const hostile = hostileSandbox();

function node(code: string, timeoutMs = 10_000) {
  return hostile.execute("node", code, timeoutMs);
}

test("keeps state from one execution to the next", async () => {
  await node("const x = 20; let y = 1; function twice(n) { return 2 * n }; class A { z = 4 }");
  expect((await node("twice(x) + y + new A().z")).value).toBe("45");
});

test("stops an endless loop and keeps the state", async () => {
  await node("const kept = 7");
  const started = performance.now();
  expect((await node("while (true) {}", 500)).status).toBe("timeout");
  expect(performance.now() - started).toBeLessThan(500 + defaultSandboxLimits.graceMs);
  expect((await node("typeof kept === 'undefined' ? 'gone' : kept")).value).toMatch(/^(7|'gone')$/);
});

test.each([
  ["ignores SIGINT", "process.on('SIGINT', () => {}); while (true) {}"],
  ["blocks in a wait that nothing ends", "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)"],
  ["never settles", "await new Promise(() => {})"],
  ["stops its own process", "process.kill(process.pid, 'SIGSTOP')"],
])("ends code that %s at its deadline", async (_name, code) => {
  const started = performance.now();
  expect((await node(code, 500)).status).toBe("timeout");
  expect(performance.now() - started).toBeLessThan(500 + defaultSandboxLimits.graceMs);
});

test.each([
  ["process.exit(0)", ["exited"]],
  ["process.exit(3)", ["exited"]],
  ["process.abort()", ["signalled"]],
  ["process.kill(process.pid, 'SIGKILL')", ["signalled"]],
  [
    "setImmediate(() => { throw new Error('later') }); await new Promise((r) => setTimeout(r, 200))",
    ["ok", "error", "exited"],
  ],
])("tells how %s ended", async (code, statuses) => {
  expect(statuses).toContain((await node(code)).status);
});

test.each([
  ["an array of a million elements", "Array.from({ length: 1_000_000 }, (_, i) => i)"],
  ["a text of a hundred megabytes", "'x'.repeat(100_000_000)"],
  ["an object that holds itself", "const loop = {}; loop.loop = loop; loop"],
  ["a proxy that throws at everything", "new Proxy({}, new Proxy({}, { get() { throw new Error('no') } }))"],
  ["a getter that throws", "({ get bad() { throw new Error('no') } })"],
  ["an inspection that throws", "({ [Symbol.for('nodejs.util.inspect.custom')]() { throw new Error('no') } })"],
])("shows %s in bounded text", async (_name, code) => {
  const result = await node(code, 20_000);
  expect(result.status).toBe("ok");
  expect(JSON.stringify(result).length).toBeLessThan(512 * 1024);
});

test("a memory bomb ends the runtime, not the sandbox", async () => {
  const { epoch } = await node("1");
  const result = await node("const hoard = []; while (true) hoard.push(Buffer.alloc(8 << 20, 1))", 30_000);
  expect(["oom", "error", "signalled", "exited"]).toContain(result.status);
  if (result.status !== "error") expect(result.epoch).toBeGreaterThan(epoch);
});

test("answers when the code takes the runtime's tools away", async () => {
  const code = "JSON.stringify = process.stdout.write = Array.prototype.push = Map.prototype.get = undefined; 'still'";
  expect(["ok", "lost", "timeout"]).toContain((await node(code, 1_000)).status);
  await hostile.sandbox.sweep(new AbortController().signal);
  expect((await node("1 + 1")).value).toBe("2");
});
