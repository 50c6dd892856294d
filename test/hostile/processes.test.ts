import { expect, test } from "vitest";
import { defaultSandboxLimits } from "../../src/sandbox/limits.ts";
import type { ExecutionResult, RunResult } from "../../src/sandbox/sandbox.ts";
import { hostileSandbox, listProcesses } from "./hostile-sandbox.ts";

const hostile = hostileSandbox({ pids: 96 });

/** After that the host would have ended the container, and no test could go on in it. */
const overshootMs = defaultSandboxLimits.graceMs;

async function timed<T>(work: Promise<T>): Promise<[T, number]> {
  const started = performance.now();
  return [await work, performance.now() - started];
}

test("keeps state from one execution to the next", async () => {
  await hostile.python("x = 20");
  expect((await hostile.python("x + 1")).value).toBe("21");
});

test("stops an endless loop and keeps the state", async () => {
  await hostile.python("kept = 1");
  const [result, elapsed] = await timed(hostile.python("while True: pass", 500));
  expect(result.status).toBe("timeout");
  expect(elapsed).toBeLessThan(500 + overshootMs);
  expect((await hostile.python("kept")).value).toBe("1");
});

test.each([
  ["ignores SIGINT", "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass"],
  ["catches everything", "while True:\n    try:\n        while True: pass\n    except BaseException: pass"],
  ["stops its own process", "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)"],
  ["blocks every signal", "import signal, time\nsignal.pthread_sigmask(0, range(1, 65))\nwhile True: time.sleep(60)"],
])("kills code that %s at its deadline, and says that the state is gone", async (_name, code) => {
  const { epoch } = await hostile.python("gone = 1");
  const [result, elapsed] = await timed(hostile.python(code, 500));
  expect(result.status).toBe("timeout");
  expect(result.epoch).toBeGreaterThan(epoch);
  expect(elapsed).toBeLessThan(500 + overshootMs);
  expect((await hostile.python("'gone' in globals()")).value).toBe("False");
});

const forkBomb = `
import os
while True:
    try:
        os.fork()
    except OSError:
        pass`;

test.each<[string, () => Promise<ExecutionResult | RunResult>]>([
  ["by an execution", () => hostile.python(forkBomb, 1_000)],
  ["by a run", () => hostile.run(["python3", "-c", forkBomb], 1_000)],
  ["by a shell", () => hostile.shell("bomb() { bomb | bomb & }; bomb; sleep 60", 1_000)],
])("ends a fork bomb thrown %s", async (_name, bomb) => {
  const [result, elapsed] = await timed(bomb());
  expect(result.status).toBe("timeout");
  expect(elapsed).toBeLessThan(1_000 + overshootMs);
});

test("survives more threads than it may have", async () => {
  const code = `
import threading, time
for _ in range(1000):
    threading.Thread(target=time.sleep, args=(600,), daemon=True).start()`;
  const result = await hostile.python(code, 5_000);
  expect(["error", "signalled", "exited"]).toContain(result.status);
});

const daemon = `
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(600)
    os._exit(0)
os.wait()
print("started")`;

test("does not wait for a daemon that keeps the output of an execution open", async () => {
  const [result, elapsed] = await timed(hostile.python(daemon, 5_000));
  expect(result).toMatchObject({ status: "ok", stdout: { text: "started\n" } });
  expect(elapsed).toBeLessThan(4_500);
});

test("kills a daemon that a run leaves behind with the output open", async () => {
  const [result, elapsed] = await timed(hostile.run(["python3", "-c", daemon], 5_000));
  expect(result).toMatchObject({ status: "exited", exitCode: 0, stdout: { text: "started\n" } });
  expect(elapsed).toBeLessThan(4_500);
  await hostile.sandbox.sweep(new AbortController().signal);
  expect(await hostile.script(listProcesses)).toBe("[]\n");
});

test("a run leaves nothing of its own, but the live runtime stays", async () => {
  await hostile.python("kept = 5");
  await hostile.shell("setsid sleep 600 & nohup sleep 601 & (sleep 602 &) & sleep 0.2");
  const found = await hostile.script(`
import os
for pid in filter(str.isdigit, os.listdir("/proc")):
    if b"sleep" in open(f"/proc/{pid}/cmdline", "rb").read().split(b"\\0")[0]:
        print("left", pid)`);
  expect(found).toBe("");
  expect((await hostile.python("kept")).value).toBe("5");
});

test("an execution that kills everything it can reaches neither supervisor nor host", async () => {
  const result = await hostile.python(
    "import os\nfor signal in range(1, 65):\n    try: os.kill(-1, signal)\n    except OSError: pass",
  );
  expect(["ok", "error", "interrupted", "signalled", "lost"]).toContain(result.status);
});

test("a run that kills everything it can takes the live runtime with it at most", async () => {
  const { epoch } = await hostile.python("gone = 1");
  await hostile.shell("kill -9 -1; kill -9 1; kill -STOP 1; kill -TERM 1; kill -INT 1");
  // The death may be noticed only by the execution that finds the runtime gone.
  const next = await hostile.python("'gone' in globals()");
  expect(["ok", "signalled", "lost"]).toContain(next.status);
  if (next.value !== "True") expect(next.epoch).toBeGreaterThan(epoch);
});

test.each([
  ["os._exit(0)", "exited"],
  ["os._exit(3)", "exited"],
  ["os.abort()", "signalled"],
  ["os.kill(os.getpid(), 9)", "signalled"],
  ["import ctypes; ctypes.string_at(0)", "signalled"],
  ["raise SystemExit(0)", "exited"],
])("tells how %s ended", async (code, status) => {
  expect((await hostile.python(`import os; ${code}`)).status).toBe(status);
});

test("a run that dies by a signal says by which", async () => {
  expect(await hostile.shell("kill -SEGV $$")).toMatchObject({
    status: "signalled",
    signal: "SIGSEGV",
    exitCode: null,
  });
});

test("a program that does not exist is a result", async () => {
  expect(await hostile.run(["/no/such/program"])).toMatchObject({ status: "exited", exitCode: 127 });
});
