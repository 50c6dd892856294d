import { expect, test } from "vitest";
import { SupervisorProcess } from "./supervisor-process.ts";

test("stops an endless loop at the deadline, says where it was, and keeps the state", async () => {
  await using supervisor = await SupervisorProcess.start();
  await supervisor.execute("kept = 1");
  const code = "def spin(n):\n  while True: pass\nspin(5)";
  const result = await supervisor.execute(code, { timeoutMs: 300 });
  expect(result).toMatchObject({ status: "timeout", epoch: 1, exception: { type: "KeyboardInterrupt" } });
  expect(result.exception?.frames.at(-1)).toMatchObject({ function: "spin", line: 2, locals: { n: "5" } });
  expect((await supervisor.execute("kept")).value).toBe("1");
});

test("kills a runtime that ignores the interrupt within about a second, with a stack of where it hung", async () => {
  await using supervisor = await SupervisorProcess.start();
  await supervisor.execute("lost = 1");
  const code = "import signal\ndef deaf():\n  signal.signal(signal.SIGINT, signal.SIG_IGN)\n  while True: pass\ndeaf()";
  const result = await supervisor.execute(code, { timeoutMs: 300 });
  expect(result).toMatchObject({ status: "timeout", epoch: 2, exception: null });
  expect(result.stderr.text).toMatch(/line 4 in deaf/);
  expect(result.durationMs).toBeLessThan(2_500);
  expect(await supervisor.execute("lost")).toMatchObject({ status: "error", exception: { type: "NameError" } });
});

test("kills a runtime that stopped itself", async () => {
  await using supervisor = await SupervisorProcess.start();
  const result = await supervisor.execute("import os, signal\nos.kill(0, signal.SIGSTOP)", { timeoutMs: 300 });
  expect(result).toMatchObject({ status: "timeout", epoch: 2 });
});

test("interrupts an execution while it is busy, and forgets interrupts for what has ended", async () => {
  await using supervisor = await SupervisorProcess.start();
  await supervisor.execute("1");
  const id = supervisor.nextId();
  const answer = supervisor.answerTo(id);
  supervisor.sendFrame({
    id,
    verb: "execute",
    language: "python",
    code: "import time; time.sleep(60)",
    timeoutMs: 60_000,
  });
  await supervisor.done({ verb: "interrupt", target: id });
  expect((await answer).header).toMatchObject({ status: "interrupted", epoch: 1 });
  await supervisor.done({ verb: "interrupt", target: id });
  expect(await supervisor.execute("2")).toMatchObject({ status: "ok", value: "2" });
});

test("interrupts a request that still waits for its turn", async () => {
  await using supervisor = await SupervisorProcess.start();
  const ids = [supervisor.nextId(), supervisor.nextId()];
  const answers = Promise.all(ids.map((id) => supervisor.answerTo(id)));
  const base = { verb: "execute", language: "python", timeoutMs: 60_000 };
  supervisor.sendFrame({ id: ids[0], ...base, code: "import time; time.sleep(0.5)" });
  supervisor.sendFrame({ id: ids[1], ...base, code: "while True: pass" });
  await supervisor.done({ verb: "interrupt", target: ids[1] });
  expect((await answers).map(({ header }) => header["status"])).toEqual(["ok", "interrupted"]);
});

test.each([
  ["import os; os._exit(3)", "exited", "exited with status 3"],
  ["import os; os.abort()", "signalled", "SIGABRT"],
  ["import ctypes; ctypes.string_at(0)", "signalled", "SIGSEGV"],
  ["import os; os.kill(os.getpid(), 9)", "signalled", "SIGKILL"],
  ["import os; os.closerange(3, 5000)", "lost", "lost its channel"],
])("starts a new epoch after %s, and works on", async (code, status, reason) => {
  await using supervisor = await SupervisorProcess.start();
  const result = await supervisor.execute(`print('before')\n${code}`);
  expect(result).toMatchObject({ status, epoch: 2, value: null, stdout: { text: "before\n" } });
  expect(result.stderr.text).toContain(reason);
  expect((await supervisor.execute("1")).value).toBe("1");
});

test("answers when user code closed standard output and error", async () => {
  await using supervisor = await SupervisorProcess.start();
  const result = await supervisor.execute("import os, sys\nos.close(1); os.close(2)\n'still here'");
  expect(result).toMatchObject({ status: "ok", value: "'still here'", epoch: 1 });
  expect((await supervisor.execute("print('again')")).stdout.text).toBe("again\n");
});

/** Code that finds the driver's channel among its descriptors, as `channel`. */
const findChannel =
  "import os, socket, stat\n" +
  "fd = next(n for n in map(int, os.listdir('/proc/self/fd')) if n > 99 and stat.S_ISSOCK(os.fstat(n).st_mode))\n" +
  "channel = socket.socket(fileno=fd)\n";

const wellFormed = (execution: string) =>
  `json.dumps(dict(execution=${execution}, outcome='ok', value='forged', exception=None, stale=[], background=[])).encode()`;

test.each([
  ["garbage", "b'x' * 100"],
  ["a frame that is too long", "b'\\x7f\\xff\\xff\\xff'"],
  ["JSON of the wrong shape", "b'\\0\\0\\0\\2{}'"],
  ["the answer to another execution", `(lambda body: len(body).to_bytes(4, 'big') + body)(${wellFormed("99")})`],
  ["one answer too many", `(lambda body: (len(body).to_bytes(4, 'big') + body) * 2)(${wellFormed("1")})`],
])("gives up on a runtime that sends %s", async (_, bytes) => {
  await using supervisor = await SupervisorProcess.start();
  const code = `${findChannel}import json, time\nchannel.send(${bytes})\ntime.sleep(60)`;
  const result = await supervisor.execute(code, { timeoutMs: 20_000 });
  expect(["lost", "ok"]).toContain(result.status);
  const next = await supervisor.execute("2");
  expect(next).toMatchObject({ status: "ok", value: "2", epoch: 2 });
});

test("keeps head and tail of a long output and counts what it drops", async () => {
  await using supervisor = await SupervisorProcess.start({ outputHead: 100, outputTail: 50 });
  const { stdout } = await supervisor.execute("print('a' * 1000 + 'é' * 1000 + 'z' * 1000, end='')");
  expect(stdout.text).toBe(`${"a".repeat(100)}\n[... 3850 bytes left out ...]\n${"z".repeat(50)}`);
  expect(stdout.droppedBytes).toBe(3_850);
  const cut = await supervisor.execute("print('é' * 1000, end='')");
  expect(cut.stdout.text).not.toContain("\\x");
});

test("kills what prints without end", async () => {
  await using supervisor = await SupervisorProcess.start({ outputTotal: 1_000_000 });
  const result = await supervisor.execute("while True: print('x' * 1000)");
  expect(result).toMatchObject({ status: "output-limit", epoch: 2 });
  expect(result.stdout.text.length).toBeLessThan(140_000);
  expect(result.stderr.text).toContain("longer than 1000000 bytes");
  const run = await supervisor.run(["yes"]);
  expect(run).toMatchObject({ status: "output-limit", exitCode: null, signal: null });
});

test("fits binary output on both streams into one header", async () => {
  await using supervisor = await SupervisorProcess.start();
  const result = await supervisor.execute(
    "import os\nfor fd in (1, 2):\n  for _ in range(40): os.write(fd, bytes(range(256)) * 20)",
  );
  expect(result.status).toBe("ok");
  expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(520 * 1024);
});

test("ends what fills the workspace, with a line that says so", async () => {
  await using supervisor = await SupervisorProcess.start({ workspaceBytes: 5_000_000, workspaceFiles: 1_000 });
  const bytes = await supervisor.execute(
    "n = 0\nwhile True:\n  n += 1\n  with open(f'big{n}', 'ab') as f: f.write(b'x' * 100_000)",
  );
  expect(bytes).toMatchObject({ status: "output-limit", epoch: 2 });
  expect(bytes.stderr.text).toContain("the workspace held more than 5000000 bytes");
  await supervisor.put({}, true);
  const script = "i=0; while :; do i=$((i+1)); : > f$i; done";
  const files = await supervisor.run(["sh", "-c", script]);
  expect(files).toMatchObject({ status: "output-limit" });
  expect(files.stderr.text).toContain("more than 1000 files");
});

test("counts deleted files that are still open, and lets no single file grow beyond the cap", async () => {
  await using supervisor = await SupervisorProcess.start({ workspaceBytes: 5_000_000 });
  const code =
    "import os, time\nopen_files = []\nfor _ in range(4):\n  f = open('hidden', 'wb'); os.unlink('hidden')\n" +
    "  f.write(b'x' * 2_000_000); f.flush(); open_files.append(f)\ntime.sleep(20)";
  const hidden = await supervisor.execute(code);
  expect(hidden).toMatchObject({ status: "output-limit", epoch: 2 });
  const large = await supervisor.execute("with open('large', 'wb') as f: f.truncate(6_000_000)");
  expect(large).toMatchObject({ status: "error", exception: { message: expect.stringContaining("File too large") } });
});

test("sees a workspace that was filled in short executions", async () => {
  await using supervisor = await SupervisorProcess.start({ workspaceBytes: 5_000_000 });
  const result = await supervisor.execute(
    "for n in range(8):\n  with open(f'big{n}', 'wb') as f: f.write(b'x' * 1_000_000)",
  );
  expect(result.status).toBe("output-limit");
});

test("sweeps all processes and tells that state was lost", async () => {
  await using supervisor = await SupervisorProcess.start();
  expect(await supervisor.done({ verb: "sweep" })).toMatchObject({ killed: 0, epoch: 1 });
  await supervisor.execute("import subprocess; subprocess.Popen(['sleep', '1000'])");
  expect(await supervisor.done({ verb: "sweep" })).toMatchObject({ killed: 2, epoch: 2 });
  expect((await supervisor.execute("1")).epoch).toBe(2);
});
