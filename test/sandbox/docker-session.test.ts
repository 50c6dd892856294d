import { expect, test } from "vitest";
import { SandboxError } from "../../src/errors.ts";
import type { DockerSession } from "../../src/sandbox/docker-session.ts";
import type { RunRequest } from "../../src/sandbox/sandbox.ts";
import { protocolFixture } from "./protocol-fixtures.ts";
import { answering, file, first, never, scriptedSession } from "./scripted-session.ts";
import type { Script } from "./scripted-supervisor.ts";

const testRun: RunRequest = {
  argv: ["sh", "-c", "pytest -q"],
  cwd: "/work",
  env: { TZ: "UTC" },
  timeoutMs: 600_000,
  report: true,
};

test("executes code as the protocol's page shows", async () => {
  const [sandbox, supervisor] = scriptedSession(answering(["execute.done"]));
  const result = await sandbox.execute({ language: "python", code: "x = 20\nx + 1", timeoutMs: 30_000 }, never);
  expect(supervisor.headers).toEqual([first("execute.request")]);
  const { id, event, ...expected } = protocolFixture("execute.done");
  expect([id, event, result]).toEqual([6, "done", expected]);
});

test("runs a process as the protocol's page shows, and joins its report", async () => {
  const [sandbox, supervisor] = scriptedSession(
    answering(["run.data", Buffer.from("one ")], ["run.data", Buffer.from("two")], ["run.done"]),
  );
  const result = await sandbox.run(testRun, never);
  expect(supervisor.headers).toEqual([first("run.request")]);
  expect(result).toMatchObject({ status: "exited", exitCode: 1, signal: null, stack: null });
  expect(Buffer.from(result.report ?? []).toString()).toBe("one two");
});

test("has no report when the supervisor says that there is none", async () => {
  const [sandbox] = scriptedSession(({ header }, supervisor) => {
    supervisor.send({ ...protocolFixture("run.done"), id: header["id"], report: "too-large" });
  });
  expect((await sandbox.run(testRun, never)).report).toBeNull();
});

test("states, reads, removes and sweeps as the protocol's page shows", async () => {
  const binary = Buffer.from("print('hi')\n");
  const [sandbox, supervisor] = scriptedSession((request, s) => {
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
  const [sandbox] = scriptedSession(({ header }, s) =>
    s.send({ ...protocolFixture("get.done"), id: header["id"], kind }),
  );
  expect(await sandbox.get("a", 10, never)).toBeNull();
});

test("states many paths in several requests, in order", async () => {
  const [sandbox, supervisor] = scriptedSession(({ header }, s) => {
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
  const [sandbox] = scriptedSession(script, { workspaceFiles: 1, reportBytes: 8 });
  await expect(ask(sandbox)).rejects.toThrow(SandboxError);
});

test("lists everything", async () => {
  const [sandbox, supervisor] = scriptedSession(answering(["stat.data"], ["stat.data"], ["stat.done"]));
  expect(await sandbox.list(never)).toHaveLength(4);
  expect(supervisor.headers).toEqual([{ id: 1, verb: "stat", all: true }]);
});

test("is a timeout when an execution's deadline and grace pass without an answer, and is lost for later calls", async () => {
  const [sandbox, supervisor] = scriptedSession(
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
  const [sandbox] = scriptedSession(() => undefined, { graceMs: 20 });
  const result = await sandbox.run({ ...testRun, timeoutMs: 30 }, never);
  expect(result).toMatchObject({ status: "timeout", exitCode: null, signal: null, durationMs: 50, report: null });
  expect(result.stderr.text).toMatch(/did not answer/);
});

test("is an error, not a result, when the container dies during an execution", async () => {
  const [sandbox] = scriptedSession((_request, supervisor) => supervisor.end());
  const execution = sandbox.execute({ language: "node", code: "1", timeoutMs: 1_000 }, never);
  await expect(execution).rejects.toThrow(SandboxError);
});
