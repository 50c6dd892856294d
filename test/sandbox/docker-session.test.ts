import { expect, test } from "vitest";
import { SandboxError } from "../../src/errors.ts";
import { Channel } from "../../src/sandbox/channel.ts";
import { DockerSession } from "../../src/sandbox/docker-session.ts";
import { defaultSandboxLimits, type SandboxLimits } from "../../src/sandbox/limits.ts";
import type { RunRequest, WorkspaceFile } from "../../src/sandbox/sandbox.ts";
import { protocolFixture } from "./protocol-fixtures.ts";
import { type Script, ScriptedSupervisor } from "./scripted-supervisor.ts";

const never = new AbortController().signal;

const facts = {
  protocol: 1,
  pythonVersion: "3.13.5",
  nodeVersion: "24.21.0",
  cgroupVersion: 1,
  memoryLimitBytes: 1024 ** 3,
  containerId: "c0ffee",
} as const;

function session(script: Script, limits: Partial<SandboxLimits> = {}): [DockerSession, ScriptedSupervisor] {
  const supervisor = new ScriptedSupervisor(script);
  const channel = new Channel(supervisor.stream, 1_000);
  return [new DockerSession(channel, facts, { ...defaultSandboxLimits, ...limits }), supervisor];
}

/** Answers each request with fixtures of the protocol's page, under the request's own id. */
function answering(...fixtures: [name: string, binary?: Uint8Array][]): Script {
  return ({ header }, supervisor) => {
    for (const [name, binary] of fixtures) supervisor.send({ ...protocolFixture(name), id: header["id"] }, binary);
  };
}

/** The fixture as it is sent when it is the first request. */
function first(name: string): Record<string, unknown> {
  return { ...protocolFixture(name), id: 1 };
}

const file: WorkspaceFile = { path: "src/a.py", kind: "file", executable: false, bytes: Buffer.from("print('hi')\n") };

const testRun: RunRequest = {
  argv: ["sh", "-c", "pytest -q"],
  cwd: "/work",
  env: { TZ: "UTC" },
  timeoutMs: 600_000,
  report: true,
};

test("executes code as the protocol's page shows", async () => {
  const [sandbox, supervisor] = session(answering(["execute.done"]));
  const result = await sandbox.execute({ language: "python", code: "x = 20\nx + 1", timeoutMs: 30_000 }, never);
  expect(supervisor.headers).toEqual([first("execute.request")]);
  const { id, event, ...expected } = protocolFixture("execute.done");
  expect([id, event, result]).toEqual([6, "done", expected]);
});

test("runs a process as the protocol's page shows, and joins its report", async () => {
  const [sandbox, supervisor] = session(
    answering(["run.data", Buffer.from("one ")], ["run.data", Buffer.from("two")], ["run.done"]),
  );
  const result = await sandbox.run(testRun, never);
  expect(supervisor.headers).toEqual([first("run.request")]);
  expect(result).toMatchObject({ status: "exited", exitCode: 1, signal: null, stack: null });
  expect(Buffer.from(result.report ?? []).toString()).toBe("one two");
});

test("has no report when the supervisor says that there is none", async () => {
  const [sandbox] = session(({ header }, supervisor) => {
    supervisor.send({ ...protocolFixture("run.done"), id: header["id"], report: "too-large" });
  });
  expect((await sandbox.run(testRun, never)).report).toBeNull();
});

test("puts files as the protocol's page shows", async () => {
  const [sandbox, supervisor] = session((request, s) => {
    if (request.header["verb"] === "put-end") answering(["put.done"])(request, s);
  });
  await sandbox.put([file], { reset: true }, never);
  expect(supervisor.headers).toEqual([first("put.request"), first("put-file.request"), first("put-end.request")]);
  expect(Buffer.from(supervisor.requests[1]?.binary ?? [])).toEqual(file.bytes);
});

test("sends a large file in pieces, links by their target, and the executable bit", async () => {
  const [sandbox, supervisor] = session((request, s) => {
    if (request.header["verb"] === "put-end") answering(["put.done"])(request, s);
  });
  const bytes = Buffer.alloc(600_000, "0123456789");
  const link: WorkspaceFile = { path: "l", kind: "symlink", executable: false, bytes: Buffer.from("src/a.py") };
  await sandbox.put([{ ...file, bytes }, link, { ...file, executable: true }], { reset: false }, never);
  const sent = supervisor.requests.slice(1, -1);
  expect(sent.map(({ header }) => [header["path"], header["mode"], header["more"]])).toEqual([
    ["src/a.py", "file", true],
    ["src/a.py", "file", true],
    ["src/a.py", "file", undefined],
    ["l", "symlink", undefined],
    ["src/a.py", "executable", undefined],
  ]);
  expect(Buffer.concat(sent.slice(0, 3).map(({ binary }) => binary)).equals(bytes)).toBe(true);
});

test("finishes an upload whose source fails, and stays usable", async () => {
  const [sandbox, supervisor] = session((request, s) => {
    if (request.header["verb"] === "put-end") answering(["put.done"])(request, s);
    if (request.header["verb"] === "sweep") answering(["sweep.done"])(request, s);
  });
  const source = async function* () {
    yield file;
    throw new Error("the checkout is gone");
  };
  await expect(sandbox.put(source(), { reset: true }, never)).rejects.toThrow("the checkout is gone");
  await sandbox.sweep(never);
  expect(supervisor.headers.map((header) => header["verb"])).toEqual(["put", "put-file", "put-end", "sweep"]);
});

test("finishes an upload that is aborted half-way, and stays usable", async () => {
  const [sandbox, supervisor] = session((request, s) => {
    if (request.header["verb"] === "put-end") answering(["put.done"])(request, s);
    if (request.header["verb"] === "sweep") answering(["sweep.done"])(request, s);
  });
  const abort = new AbortController();
  const source = function* () {
    yield file;
    abort.abort();
    yield file;
    throw new Error("must not be asked for more");
  };
  await expect(sandbox.put(source(), { reset: true }, abort.signal)).rejects.toThrow(/abort/i);
  await sandbox.sweep(never);
  expect(supervisor.headers.map((header) => header["verb"])).toEqual(["put", "put-file", "put-end", "sweep"]);
});

test("waits for a slow supervisor instead of holding an upload in memory", async () => {
  let taken = 0;
  const [sandbox, supervisor] = session((request, s) => {
    taken += request.binary.length;
    if (request.header["verb"] === "put-end") answering(["put.done"])(request, s);
  });
  let made = 0;
  let mostAhead = 0;
  const source = async function* () {
    for (let index = 0; index < 200; index += 1) {
      made += 100_000;
      mostAhead = Math.max(mostAhead, made - taken);
      yield { ...file, bytes: Buffer.alloc(100_000) };
    }
  };
  await sandbox.put(source(), { reset: true }, never);
  expect(supervisor.requests.length).toBe(202);
  expect(mostAhead).toBeLessThan(1_000_000);
});

test("states, reads, removes and sweeps as the protocol's page shows", async () => {
  const binary = Buffer.from("print('hi')\n");
  const [sandbox, supervisor] = session((request, s) => {
    const verb = String(request.header["verb"]);
    const data: [string, Uint8Array?][] =
      verb === "stat" ? [["stat.data"]] : verb === "get" ? [["get.data", binary]] : [];
    answering(...data, [`${verb}.done`])(request, s);
  });
  expect(await sandbox.stat(["src/a.py", "gone.py"], never)).toEqual(protocolFixture("stat.data")["entries"]);
  expect(await sandbox.get("src/a.py", 1_048_576, never)).toEqual({ ...file, bytes: binary });
  await sandbox.remove(["src/old.py"], never);
  await sandbox.sweep(never);
  const expected = ["stat", "get", "remove", "sweep"].map((verb, index) => ({
    ...protocolFixture(`${verb}.request`),
    id: index + 1,
  }));
  expect(supervisor.headers).toEqual(expected);
});

test.each(["missing", "other", "too-large"])("has no file when it is %s", async (kind) => {
  const [sandbox] = session(({ header }, s) => s.send({ ...protocolFixture("get.done"), id: header["id"], kind }));
  expect(await sandbox.get("a", 10, never)).toBeNull();
});

test("states many paths in several requests, in order", async () => {
  const [sandbox, supervisor] = session(({ header }, s) => {
    const paths = header["paths"] as string[];
    const entries = paths.map((path) => ({ path, kind: "missing", executable: false, size: 0, sha256: null }));
    s.send({ id: header["id"], event: "data", entries });
    s.send({ id: header["id"], event: "done" });
  });
  const paths = Array.from({ length: 450 }, (_, index) => `file-${index}`);
  expect((await sandbox.stat(paths, never)).map((entry) => entry.path)).toEqual(paths);
  expect(supervisor.requests.length).toBe(3);
  expect(await sandbox.stat([], never)).toEqual([]);
});

test.each<[string, (sandbox: DockerSession) => Promise<unknown>, Script]>([
  ["other paths than asked for", (s) => s.stat(["a", "b"], never), answering(["stat.data"], ["stat.done"])],
  ["more entries than asked for", (s) => s.stat(["src/a.py"], never), answering(["stat.data"], ["stat.done"])],
  ["more files than the workspace may hold", (s) => s.list(never), answering(["stat.data"], ["stat.done"])],
  ["more content than asked for", (s) => s.get("a", 3, never), answering(["get.data", Buffer.alloc(4)], ["get.done"])],
  ["a longer report than it may", (s) => s.run(testRun, never), answering(["run.data", Buffer.alloc(9)], ["run.done"])],
])("does not accept %s", async (_name, ask, script) => {
  const [sandbox] = session(script, { workspaceFiles: 1, reportBytes: 8 });
  await expect(ask(sandbox)).rejects.toThrow(SandboxError);
});

test("lists everything", async () => {
  const [sandbox, supervisor] = session(answering(["stat.data"], ["stat.data"], ["stat.done"]));
  expect(await sandbox.list(never)).toHaveLength(4);
  expect(supervisor.headers).toEqual([{ id: 1, verb: "stat", all: true }]);
});

test("is a timeout when an execution's deadline and grace pass without an answer, and is lost for later calls", async () => {
  const [sandbox, supervisor] = session(
    (request, s) => {
      if (request.header["code"] === "1") answering(["execute.done"])(request, s);
    },
    { graceMs: 20 },
  );
  await sandbox.execute({ language: "python", code: "1", timeoutMs: 30 }, never);
  const hung = sandbox.execute({ language: "python", code: "2", timeoutMs: 30 }, never);
  const queued = sandbox.execute({ language: "python", code: "3", timeoutMs: 30 }, never);
  expect(await hung).toMatchObject({ status: "timeout", value: null, durationMs: 50, epoch: 2 });
  await expect(queued).rejects.toThrow(SandboxError);
  await expect(sandbox.list(never)).rejects.toThrow(SandboxError);
  expect(supervisor.stream.destroyed).toBe(true);
});

test("is a timeout when a run's deadline and grace pass without an answer", async () => {
  const [sandbox] = session(() => undefined, { graceMs: 20 });
  const result = await sandbox.run({ ...testRun, timeoutMs: 30 }, never);
  expect(result).toMatchObject({ status: "timeout", exitCode: null, signal: null, durationMs: 50, report: null });
  expect(result.stderr.text).toMatch(/did not answer/);
});

test("is an error, not a result, when the container dies during an execution", async () => {
  const [sandbox] = session((_request, supervisor) => supervisor.end());
  const execution = sandbox.execute({ language: "node", code: "1", timeoutMs: 1_000 }, never);
  await expect(execution).rejects.toThrow(SandboxError);
});
