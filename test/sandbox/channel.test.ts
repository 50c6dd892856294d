import { expect, test } from "vitest";
import { z } from "zod";
import { SandboxError } from "../../src/errors.ts";
import { Channel, SilenceError } from "../../src/sandbox/channel.ts";
import { type Exchange, RequestError } from "../../src/sandbox/pending-request.ts";
import { dockerFrame, type Script, ScriptedSupervisor } from "./scripted-supervisor.ts";

const never = new AbortController().signal;

function connect(script: Script): { channel: Channel; supervisor: ScriptedSupervisor } {
  const supervisor = new ScriptedSupervisor(script);
  return { channel: new Channel(supervisor.stream, 1_000), supervisor };
}

function exchange(overrides: Partial<Exchange<{ n: number }>> = {}): Exchange<{ n: number }> {
  return {
    verb: "ask",
    fields: {},
    done: z.object({ n: z.number() }),
    silenceMs: 5_000,
    interruptible: false,
    ...overrides,
  };
}

const answerAll: Script = ({ header }, supervisor) =>
  supervisor.send({ id: header["id"], event: "done", n: header["id"] });
const silent: Script = () => undefined;

test("answers a request with what the supervisor says", async () => {
  const { channel, supervisor } = connect(answerAll);
  expect(await channel.request(exchange({ fields: { text: "hi" } }), never)).toEqual({ n: 1 });
  expect(supervisor.headers).toEqual([{ id: 1, verb: "ask", text: "hi" }]);
});

test("sends a request only when the one before is answered", async () => {
  const { channel, supervisor } = connect(silent);
  const answers = [1, 2, 3].map(() => channel.request(exchange(), never));
  for (const id of [1, 2, 3]) {
    await expect.poll(() => supervisor.headers.length).toBe(id);
    supervisor.send({ id, event: "done", n: id * 10 });
  }
  expect(await Promise.all(answers)).toEqual([{ n: 10 }, { n: 20 }, { n: 30 }]);
});

test("hands the data frames of an answer over in order", async () => {
  const seen: string[] = [];
  const { channel } = connect((_request, supervisor) => {
    supervisor.send({ id: 1, event: "data" }, Buffer.from("a"));
    supervisor.send({ id: 1, event: "data" }, Buffer.from("b"));
    supervisor.send({ id: 1, event: "done", n: 0 });
  });
  await channel.request(exchange({ onData: ({ binary }) => seen.push(Buffer.from(binary).toString()) }), never);
  expect(seen).toEqual(["a", "b"]);
});

test("goes on after a request that the supervisor refused", async () => {
  const { channel } = connect(({ header }, supervisor) => {
    const { id } = header;
    supervisor.send(id === 1 ? { id, event: "error", code: "no-space", message: "full" } : { id, event: "done", n: 2 });
  });
  const refused = await channel.request(exchange(), never).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(RequestError);
  expect(refused).toMatchObject({ requestCode: "no-space", code: "infrastructure" });
  expect(await channel.request(exchange(), never)).toEqual({ n: 2 });
});

test("rejects what is pending and what comes later when the container ends, with the supervisor's last words", async () => {
  const { channel, supervisor } = connect(silent);
  const pending = channel.request(exchange(), never);
  const queued = channel.request(exchange(), never);
  await expect.poll(() => supervisor.headers.length).toBe(1);
  supervisor.sendOutput(2, Buffer.from("Traceback:\n  \u001b[31mno memory\n"));
  supervisor.end();
  await expect(pending).rejects.toThrow(/container ended; its supervisor said: Traceback: \?\[31mno memory$/);
  await expect(queued).rejects.toThrow(SandboxError);
  await expect(channel.request(exchange(), never)).rejects.toThrow(/the sandbox is gone/);
  expect(channel.closed.reason).toBeInstanceOf(SandboxError);
});

test.each<[string, (supervisor: ScriptedSupervisor) => void]>([
  ["an answer to a request that was not made", (s) => s.send({ id: 5, event: "done", n: 1 })],
  ["an unknown event", (s) => s.send({ id: 1, event: "progress" })],
  ["an answer of the wrong shape", (s) => s.send({ id: 1, event: "done", n: "one" })],
  ["data where none is expected", (s) => s.send({ id: 1, event: "data" })],
  ["an error without a request", (s) => s.send({ event: "error", code: "bad-request", message: "what?" })],
  ["a frame that is no JSON", (s) => s.sendOutput(1, Buffer.from([0, 0, 0, 5, 0, 0, 0, 1, 33]))],
  ["a frame that is too long", (s) => s.sendOutput(1, Buffer.from([255, 255, 255, 255]))],
  ["output out of step", (s) => s.sendRaw(Buffer.from("garbage!garbage!"))],
  ["JSON nested too deep to check", (s) => s.sendOutput(1, deepFrame())],
])("ends the channel on %s", async (_name, misbehave) => {
  const { channel, supervisor } = connect((_request, s) => misbehave(s));
  await expect(channel.request(exchange(), never)).rejects.toThrow(SandboxError);
  expect(channel.closed.aborted).toBe(true);
  expect(supervisor.stream.destroyed).toBe(true);
});

test("gives the container up when the supervisor stays silent", async () => {
  const { channel } = connect(silent);
  const silentOne = channel.request(exchange({ silenceMs: 30 }), never);
  const queued = channel.request(exchange(), never);
  await expect(silentOne).rejects.toThrow(SilenceError);
  await expect(queued).rejects.toThrow(/the sandbox is gone/);
  await expect(queued).rejects.not.toThrow(SilenceError);
});

test("interrupts a request that is aborted and lets the next one wait for its end", async () => {
  const { channel, supervisor } = connect(({ header }, s) => {
    if (header["verb"] === "next") s.send({ id: header["id"], event: "done", n: 9 });
  });
  const abort = new AbortController();
  const running = channel.request(exchange({ interruptible: true }), abort.signal);
  await expect.poll(() => supervisor.headers.length).toBe(1);
  const reason = new Error("cancelled by its owner");
  abort.abort(reason);
  await expect(running).rejects.toBe(reason);
  const next = channel.request(exchange({ verb: "next" }), never);
  await expect
    .poll(() => supervisor.headers)
    .toEqual([
      { id: 1, verb: "ask" },
      { id: 2, verb: "interrupt", target: 1 },
    ]);
  supervisor.send({ id: 2, event: "done" });
  supervisor.send({ id: 1, event: "done", n: 1 });
  expect(await next).toEqual({ n: 9 });
});

test("gives the container up when an interrupt does not help", async () => {
  const supervisor = new ScriptedSupervisor(silent);
  const channel = new Channel(supervisor.stream, 30);
  const abort = new AbortController();
  const running = channel.request(exchange({ interruptible: true }), abort.signal);
  await expect.poll(() => supervisor.headers.length).toBe(1);
  abort.abort();
  await expect(running).rejects.toThrow(/abort/i);
  await expect.poll(() => channel.closed.aborted).toBe(true);
});

test("never sends a request that was aborted while it waited", async () => {
  const { channel, supervisor } = connect(silent);
  const first = channel.request(exchange(), never);
  const abort = new AbortController();
  const second = channel.request(exchange(), abort.signal);
  abort.abort();
  await expect(second).rejects.toThrow(/abort/i);
  const third = channel.request(exchange({ verb: "third" }), never);
  supervisor.send({ id: 1, event: "done", n: 1 });
  await first;
  await expect
    .poll(() => supervisor.headers)
    .toEqual([
      { id: 1, verb: "ask" },
      { id: 2, verb: "third" },
    ]);
  supervisor.send({ id: 2, event: "done", n: 3 });
  expect(await third).toEqual({ n: 3 });
});

test("does not send a request that is too large, and goes on", async () => {
  const { channel } = connect(answerAll);
  await expect(channel.request(exchange({ fields: { code: "x".repeat(2 ** 20) } }), never)).rejects.toThrow(
    /does not fit/,
  );
  expect(await channel.request(exchange(), never)).toEqual({ n: 1 });
});

test("reads an answer that arrives as frames of one byte", async () => {
  const { channel } = connect((_request, supervisor) => {
    const body = Buffer.from(JSON.stringify({ id: 1, event: "done", n: 1, padding: "x".repeat(20_000) }));
    const lengths = Buffer.alloc(8);
    lengths.writeUInt32BE(body.length + 4, 0);
    lengths.writeUInt32BE(body.length, 4);
    const bytes = [...Buffer.concat([lengths, body])];
    supervisor.sendRaw(Buffer.concat(bytes.map((byte) => dockerFrame(1, Uint8Array.of(byte)))));
  });
  expect(await channel.request(exchange(), never)).toEqual({ n: 1 });
});

test("reports the reason of its owner when it is closed", async () => {
  const { channel } = connect(silent);
  const pending = channel.request(exchange(), never);
  channel.close(new SandboxError("disposed of"));
  channel.close(new SandboxError("again"));
  await expect(pending).rejects.toThrow("disposed of");
  expect(channel.busy).toBe(false);
});

/** Nested far deeper than a recursive check can follow. */
function deepFrame(): Buffer {
  const depth = 100_000;
  const header = Buffer.from(`{"id":1,"event":"done","n":${"[".repeat(depth)}${"]".repeat(depth)}}`);
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32BE(header.length + 4, 0);
  lengths.writeUInt32BE(header.length, 4);
  return Buffer.concat([lengths, header]);
}
