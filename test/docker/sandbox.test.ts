import { createHash } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { RunRequest, Sandbox, WorkspaceFile } from "../../src/sandbox/sandbox.ts";
import { type EngineUnderTest, engineUnderTest, never } from "./engine-under-test.ts";

let under: EngineUnderTest;
let shared: Sandbox;

beforeAll(async () => {
  under = await engineUnderTest();
  shared = await under.start();
});

afterAll(async () => {
  await shared[Symbol.asyncDispose]();
  expect(await under.leftOvers()).toEqual([]);
});

afterEach(async () => {
  expect((await python("1 + 1")).value).toBe("2");
});

function python(code: string, timeoutMs = 10_000, signal = never) {
  return shared.execute({ language: "python", code, timeoutMs }, signal);
}

function shell(script: string, overrides: Partial<RunRequest> = {}, signal = never) {
  const request = { argv: ["sh", "-c", script], cwd: "/work", env: {}, timeoutMs: 20_000, report: false };
  return shared.run({ ...request, ...overrides }, signal);
}

function file(path: string, text: string, overrides: Partial<WorkspaceFile> = {}): WorkspaceFile {
  return { path, kind: "file", executable: false, bytes: Buffer.from(text), ...overrides };
}

test("states the facts of the container", () => {
  expect(shared.facts).toMatchObject({ protocol: 1, memoryLimitBytes: 1_073_741_824 });
  expect(shared.facts.pythonVersion).toMatch(/^3\.\d+\.\d+/);
  expect(shared.facts.nodeVersion).toMatch(/^\d+\.\d+\.\d+/);
  expect(shared.facts.cgroupVersion).toBe(under.engine.cgroupVersion);
});

test("is the container that was specified, as the engine sees it", async () => {
  const { Config, HostConfig, Mounts, NetworkSettings } = await under.engine.docker
    .getContainer(shared.facts.containerId)
    .inspect();
  expect(Config.User).toBe("10001:10001");
  expect(HostConfig).toMatchObject({ ReadonlyRootfs: true, NetworkMode: "none", AutoRemove: true, PidsLimit: 256 });
  expect(Mounts.map((mount) => [mount["Type"], mount.Destination])).toEqual([["volume", "/work"]]);
  expect(Object.keys(NetworkSettings.Networks)).toEqual(["none"]);
});

test.each(["python", "node"] as const)("keeps the variables of %s from one execution to the next", async (language) => {
  await shared.execute({ language, code: "kept = [1, 2, 3]", timeoutMs: 20_000 }, never);
  const { status, value } = await shared.execute({ language, code: "kept", timeoutMs: 10_000 }, never);
  expect(status).toBe("ok");
  expect(value?.replace(/\s/g, "")).toBe("[1,2,3]");
});

test("shows an exception with the locals of every frame", async () => {
  const { status, exception } = await python("def share(n):\n    return 10 / n\nshare(0)");
  expect(status).toBe("error");
  expect(exception).toMatchObject({ type: "ZeroDivisionError", message: "division by zero" });
  expect(exception?.frames.at(-1)).toMatchObject({ function: "share", line: 2, locals: { n: "0" } });
});

test("takes files in and gives the same files out", async () => {
  const files = [
    file("plain.txt", "hello\n"),
    file("bin/run.sh", "#!/bin/sh\necho ran\n", { executable: true }),
    file("deep/er/link", "../../plain.txt", { kind: "symlink" }),
    file("empty", ""),
    file("odd \n'\"-rf é", "odd"),
    file("large.bin", "", { bytes: Buffer.alloc(3_000_000, "0123456789abcdef") }),
  ];
  await shared.put(files, { reset: true }, never);
  for (const sent of files) {
    const got = await shared.get(sent.path, 4_000_000, never);
    expect({ ...got, bytes: null }).toEqual({ ...sent, bytes: null });
    expect(Buffer.from(got?.bytes ?? []).equals(sent.bytes)).toBe(true);
  }
  expect((await shared.list(never)).map(({ path }) => path).sort()).toEqual(files.map(({ path }) => path).sort());
  expect((await shell("./bin/run.sh && git status --porcelain && git log --oneline | wc -l")).stdout.text).toBe(
    "ran\n1\n",
  );
});

test("states what is there without following links", async () => {
  const files = [file("a.py", "print('hi')\n"), file("l", "a.py", { kind: "symlink" }), file("d/b", "")];
  await shared.put(files, { reset: true }, never);
  expect(await shared.stat(["a.py", "l", "d", "gone", "d/b"], never)).toMatchObject([
    { kind: "file", size: 12, sha256: createHash("sha256").update("print('hi')\n").digest("hex") },
    { kind: "symlink", size: 4 },
    { kind: "other", sha256: null },
    { kind: "missing", size: 0, sha256: null },
    { kind: "file", size: 0 },
  ]);
});

test("adds to the workspace, replaces in it, deletes from it, and empties it", async () => {
  await shared.put([file("a", "1"), file("b", "2")], { reset: true }, never);
  await shared.put([file("b", "3"), file("c", "4")], { reset: false }, never);
  await shared.remove(["a", "never-there"], never);
  expect((await shared.list(never)).map(({ path }) => path).sort()).toEqual(["b", "c"]);
  expect(Buffer.from((await shared.get("b", 10, never))?.bytes ?? []).toString()).toBe("3");
  await shared.put([], { reset: true }, never);
  expect(await shared.list(never)).toEqual([]);
});

test("has no file when it is missing, larger than asked for, or a folder", async () => {
  await shared.put([file("d/a", "12345")], { reset: true }, never);
  expect(await shared.get("gone", 10, never)).toBeNull();
  expect(await shared.get("d/a", 4, never)).toBeNull();
  expect(await shared.get("d", 10, never)).toBeNull();
});

test("runs a process to its end, with input and report", async () => {
  const script = 'cat "$AUTOLITH_INPUT" > "$AUTOLITH_REPORT"; echo out; echo err >&2; echo "$TZ $PWD"; exit 3';
  const result = await shell(script, { env: { TZ: "UTC" }, report: true, input: "a::b\nc" });
  expect(result).toMatchObject({ status: "exited", exitCode: 3, signal: null, stack: null });
  expect(result.stdout.text).toBe("out\nUTC /work\n");
  expect(result.stderr.text).toBe("err\n");
  expect(Buffer.from(result.report ?? []).toString()).toBe("a::b\nc");
});

test("has no report when the process wrote none", async () => {
  expect((await shell("true", { report: true })).report).toBeNull();
});

test("runs give the live runtimes' variables back untouched", async () => {
  await python("survivor = 42");
  await shell("sleep 0.1");
  expect((await python("survivor")).value).toBe("42");
});

test("interrupts an execution that is aborted, and keeps the state", async () => {
  await python("kept = 7");
  const reason = new Error("stopped by its owner");
  const abort = new AbortController();
  setTimeout(() => abort.abort(reason), 200);
  await expect(python("while True: pass", 60_000, abort.signal)).rejects.toBe(reason);
  expect((await python("kept")).value).toBe("7");
});

test("interrupts a run that is aborted", async () => {
  const abort = new AbortController();
  setTimeout(() => abort.abort(), 200);
  const started = performance.now();
  await expect(shell("sleep 60", { timeoutMs: 90_000 }, abort.signal)).rejects.toThrow(/abort/i);
  expect((await shell("echo next")).stdout.text).toBe("next\n");
  expect(performance.now() - started).toBeLessThan(20_000);
});

test("ends an execution at its deadline", async () => {
  const { status, durationMs } = await python("import time\ntime.sleep(60)", 300);
  expect(status).toBe("timeout");
  expect(durationMs).toBeLessThan(5_300);
});
