import { expect, test } from "vitest";
import { protocolFixture } from "../sandbox/protocol-fixtures.ts";
import { SupervisorProcess } from "./supervisor-process.ts";

/** Types of all fields, by path; arrays by the type of their first item. Null stands for anything. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? "array" : [shape(value[0])];
  if (value === null || typeof value !== "object") return value === null ? expect.anything() : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shape(item)]));
}

const volatile = { durationMs: expect.any(Number), memoryBytes: expect.any(Number) };

test("answers every request of the protocol's page as the page says", async () => {
  await using supervisor = await SupervisorProcess.startSilent();
  const ask = async (name: string, overrides: Record<string, unknown> = {}) => {
    const header: Record<string, unknown> = { ...protocolFixture(name), ...overrides };
    const answer = supervisor.answerTo(Number(header["id"]));
    supervisor.sendFrame(header);
    return answer;
  };

  const hello = await ask("hello.request");
  expect(shape(hello.header)).toEqual(shape(protocolFixture("hello.done")));
  expect(hello.header["hardening"]).toEqual(protocolFixture("hello.done")["hardening"]);

  const put = supervisor.answerTo(2);
  supervisor.sendFrame(protocolFixture("put.request"));
  supervisor.sendFrame(protocolFixture("put-file.request"), Buffer.from("answer = 42\n"));
  supervisor.sendFrame(protocolFixture("put-end.request"));
  expect((await put).header).toEqual(protocolFixture("put.done"));

  expect((await ask("remove.request")).header).toEqual(protocolFixture("remove.done"));

  const stat = await ask("stat.request");
  expect(stat.data.map(({ header }) => header)).toEqual([protocolFixture("stat.data")]);
  expect(stat.header).toEqual(protocolFixture("stat.done"));

  const get = await ask("get.request");
  expect(get.data).toEqual([{ header: protocolFixture("get.data"), binary: Buffer.from("answer = 42\n") }]);
  expect(get.header).toEqual(protocolFixture("get.done"));

  expect((await ask("execute.request")).header).toEqual({ ...protocolFixture("execute.done"), ...volatile });
  const code = "def share(n): return 1 / n\nshare(0)";
  const failed = await ask("execute.request", { id: 7, code });
  expect(failed.header).toEqual({ ...protocolFixture("execute.error.done"), ...volatile });

  const argv = ["sh", "-c", 'echo data > "$AUTOLITH_REPORT"; printf "1 failed"; exit 1'];
  const run = await ask("run.request", { argv, cwd: supervisor.workspace });
  expect(run.data).toEqual([{ header: protocolFixture("run.data"), binary: Buffer.from("data\n") }]);
  expect(run.header).toEqual({ ...protocolFixture("run.done"), ...volatile });

  expect((await ask("interrupt.request")).header).toEqual(protocolFixture("interrupt.done"));
  expect(shape((await ask("sweep.request")).header)).toEqual(shape(protocolFixture("sweep.done")));
  expect((await ask("seal.request")).header).toMatchObject({ code: "bad-request" });
  expect((await ask("bye.request")).header).toEqual(protocolFixture("bye.done"));
  expect(await supervisor.exited).toBe(0);
});

test.each([
  ["a verb that does not exist", { id: 5, verb: "dance" }],
  ["put-file without put", { id: 5, verb: "put-file", path: "a", mode: "file" }],
  ["put-end without put", { id: 5, verb: "put-end" }],
])("ends with status 70 on %s", async (_, header) => {
  await using supervisor = await SupervisorProcess.start();
  const answer = supervisor.answerTo(5);
  supervisor.sendFrame(header);
  expect((await answer).header).toMatchObject({ id: 5, event: "error", code: "bad-request" });
  expect(await supervisor.exited).toBe(70);
});

test.each([
  ["a frame of more than 1 MiB", Buffer.from([0x7f, 0xff, 0xff, 0xff])],
  ["a header longer than its frame", Buffer.from([0, 0, 0, 6, 0, 0, 0, 9, 0x7b, 0x7d])],
  ["a body too short for a length", Buffer.from([0, 0, 0, 2, 0, 0])],
  ["a header that is not an object", Buffer.from([0, 0, 0, 6, 0, 0, 0, 2, 0x5b, 0x5d])],
  ["a header that is not JSON", Buffer.from([0, 0, 0, 6, 0, 0, 0, 2, 0xff, 0xfe])],
])("ends with status 70 on %s", async (_, bytes) => {
  await using supervisor = await SupervisorProcess.start();
  supervisor.sendBytes(bytes);
  expect(await supervisor.exited).toBe(70);
  expect(supervisor.strayFrames).toEqual([
    { id: null, event: "error", code: "bad-request", message: expect.any(String) },
  ]);
});

test("reads frames that arrive byte by byte and several at once", async () => {
  await using supervisor = await SupervisorProcess.start();
  const frame = (id: number) => {
    const text = Buffer.from(JSON.stringify({ id, verb: "remove", paths: [] }));
    return Buffer.concat([Buffer.from([0, 0, 0, text.length + 4, 0, 0, 0, text.length]), text]);
  };
  const slow = supervisor.answerTo(101);
  for (const byte of frame(101)) supervisor.sendBytes(Buffer.from([byte]));
  expect((await slow).header).toEqual({ id: 101, event: "done" });
  const both = Promise.all([supervisor.answerTo(102), supervisor.answerTo(103)]);
  supervisor.sendBytes(Buffer.concat([frame(102), frame(103)]));
  expect((await both).map(({ header }) => header["id"])).toEqual([102, 103]);
});

test.each([
  [{ verb: "execute", language: "ruby", code: "1", timeoutMs: 1_000 }],
  [{ verb: "execute", language: "python", code: 1, timeoutMs: 1_000 }],
  [{ verb: "execute", language: "python", code: "1", timeoutMs: 0 }],
  [{ verb: "run", argv: [], cwd: "/", env: {}, timeoutMs: 1_000, report: false, input: null }],
  [{ verb: "run", argv: ["a\0b"], cwd: "/", env: {}, timeoutMs: 1_000, report: false, input: null }],
  [{ verb: "run", argv: ["true"], cwd: "relative", env: {}, timeoutMs: 1_000, report: false, input: null }],
  [{ verb: "run", argv: ["true"], cwd: "/", env: { "A=B": "c" }, timeoutMs: 1_000, report: false, input: null }],
  [{ verb: "hello", protocol: 2 }],
  [{ verb: "hello", protocol: 1, limits: { outputHead: -1 } }],
  [{ verb: "hello", protocol: 1, limits: { surprise: 1 } }],
])("refuses %j and goes on", async (header) => {
  await using supervisor = await SupervisorProcess.start();
  expect((await supervisor.request(header)).header).toMatchObject({ event: "error", code: "bad-request" });
  expect((await supervisor.execute("1")).value).toBe("1");
});

test("kills everything and ends when the host goes away", async () => {
  await using supervisor = await SupervisorProcess.start();
  const { value } = await supervisor.execute("import subprocess; subprocess.Popen(['sleep', '1000']).pid");
  supervisor.process.stdin.end();
  expect(await supervisor.exited).toBe(0);
  expect(() => process.kill(Number(value), 0)).toThrow("ESRCH");
});
