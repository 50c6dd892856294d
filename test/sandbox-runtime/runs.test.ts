import { readdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { SupervisorProcess } from "./supervisor-process.ts";

function isAlive(pid: string): boolean {
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch {
    return false;
  }
}

test("tells how a process ended, apart from what it printed", async () => {
  await using supervisor = await SupervisorProcess.start();
  expect(await supervisor.run(["sh", "-c", "echo out; echo err >&2; exit 3"])).toMatchObject({
    status: "exited",
    exitCode: 3,
    signal: null,
    stdout: { text: "out\n", droppedBytes: 0 },
    stderr: { text: "err\n", droppedBytes: 0 },
    stack: null,
  });
  expect(await supervisor.run(["sh", "-c", "kill -SEGV $$"])).toMatchObject({
    status: "signalled",
    exitCode: null,
    signal: "SIGSEGV",
  });
});

test.each([
  [["no-such-program"], {}, "No such file or directory"],
  [["/etc/passwd"], {}, "Permission denied"],
  [["true"], { cwd: "/no/such/folder" }, "No such file or directory"],
])("ends with status 127 and a reason when %j cannot be started", async (argv, overrides, reason) => {
  await using supervisor = await SupervisorProcess.start();
  const run = await supervisor.run(argv, overrides);
  expect(run).toMatchObject({ status: "exited", exitCode: 127, signal: null });
  expect(run.stderr.text).toContain(reason);
});

test("passes arguments as they are, without a shell, and nothing on standard input", async () => {
  await using supervisor = await SupervisorProcess.start();
  const { stdout } = await supervisor.run(["printf", "%s|", "$HOME", "a b", "'\"`;", "é"]);
  expect(stdout.text).toBe("$HOME|a b|'\"`;|é|");
  expect((await supervisor.run(["cat"])).exitCode).toBe(0);
});

test("adds the request's variables to a fixed environment", async () => {
  await using supervisor = await SupervisorProcess.start();
  const { stdout } = await supervisor.run(["env"], { env: { TZ: "UTC", LANG: "C" } });
  const lines = stdout.text.split("\n");
  expect(lines).toEqual(expect.arrayContaining(["TZ=UTC", "LANG=C", `HOME=${supervisor.root}/tmp/home`]));
  expect(stdout.text).not.toMatch(/VITEST|USER=|AUTOLITH_/);
});

test("kills at the deadline, with what was printed so far", async () => {
  await using supervisor = await SupervisorProcess.start();
  const run = await supervisor.run(["sh", "-c", "echo begun; trap '' INT TERM; sleep 60; sleep 60"], {
    timeoutMs: 300,
  });
  expect(run).toMatchObject({ status: "timeout", exitCode: null, signal: null, stdout: { text: "begun\n" } });
  expect(run.durationMs).toBeLessThan(2_000);
});

test("interrupts a run", async () => {
  await using supervisor = await SupervisorProcess.start();
  const id = supervisor.nextId();
  const answer = supervisor.answerTo(id);
  const fields = { argv: ["sleep", "60"], cwd: "/", env: {}, timeoutMs: 60_000, report: false, input: null };
  supervisor.sendFrame({ id, verb: "run", ...fields });
  await sleep(200);
  await supervisor.done({ verb: "interrupt", target: id });
  expect((await answer).header).toMatchObject({ status: "interrupted", exitCode: null, signal: null });
});

test("kills daemons that a run leaves behind, and lets the live runtime and its children be", async () => {
  await using supervisor = await SupervisorProcess.start();
  const child = await supervisor.execute("import subprocess\nchild = subprocess.Popen(['sleep', '1000'])\nchild.pid");
  const daemon = "setsid sh -c 'echo $$ > pid; exec sleep 1000' > /dev/null 2>&1 & sleep 0.2; cat pid";
  const run = await supervisor.run(["sh", "-c", daemon]);
  expect(run).toMatchObject({ status: "exited", exitCode: 0 });
  expect(isAlive(run.stdout.text.trim())).toBe(false);
  expect(isAlive(child.value ?? "")).toBe(true);
  expect(await supervisor.execute("child.poll()")).toMatchObject({ value: null, status: "ok", epoch: 1 });
});

test("sends no execution to a runtime that a run has killed", async () => {
  await using supervisor = await SupervisorProcess.start();
  for (let epoch = 1; epoch <= 5; epoch += 1) {
    const { value } = await supervisor.execute("import os; os.getpid()");
    await supervisor.run(["kill", "-9", String(value)]);
    expect(await supervisor.execute("20 + 1")).toMatchObject({ status: "ok", value: "21", epoch: epoch + 1 });
  }
});

test("answers although a daemon holds standard output open", async () => {
  await using supervisor = await SupervisorProcess.start();
  const run = await supervisor.run(["sh", "-c", "setsid sh -c 'while :; do echo noise; sleep 0.01; done' & echo done"]);
  expect(run).toMatchObject({ status: "exited", exitCode: 0 });
  expect(run.durationMs).toBeLessThan(5_000);
});

test("stops processes that multiply, and keeps the live runtime", async () => {
  await using supervisor = await SupervisorProcess.start();
  await supervisor.execute("kept = 1");
  const bomb =
    "import os, time\nend = time.monotonic() + 3\nn = 0\nos.setsid()\n" +
    "while time.monotonic() < end:\n  n += 1\n  if os.fork() == 0 and n > 4: time.sleep(3)\n  time.sleep(0.02)";
  const run = await supervisor.run(["python3", "-c", `import os\nif os.fork() == 0:\n exec(${JSON.stringify(bomb)})`]);
  expect(run.exitCode).toBe(0);
  expect(await supervisor.execute("kept")).toMatchObject({ value: "1", epoch: 1 });
  expect((await supervisor.done({ verb: "sweep" }))["killed"]).toBe(1);
});

test("hands over input and report in fresh files, and deletes them", async () => {
  await using supervisor = await SupervisorProcess.start();
  const argv = ["sh", "-c", 'cat "$AUTOLITH_INPUT" "$AUTOLITH_INPUT" > "$AUTOLITH_REPORT"; echo "$AUTOLITH_REPORT"'];
  const run = await supervisor.run(argv, { report: true, input: "tést\n" });
  expect(run).toMatchObject({ report: "present", reportText: "tést\ntést\n" });
  const again = await supervisor.run(argv, { report: true, input: "" });
  expect(again).toMatchObject({ report: "absent", reportText: "" });
  expect(again.stdout.text).not.toBe(run.stdout.text);
  expect(await readdir(supervisor.scratch)).toEqual([]);
});

test.each([
  ["a symlink to a file outside", 'ln -sf /etc/passwd "$AUTOLITH_REPORT"', "absent"],
  ["a FIFO", 'rm "$AUTOLITH_REPORT"; mkfifo "$AUTOLITH_REPORT"', "absent"],
  ["nothing", 'rm "$AUTOLITH_REPORT"', "absent"],
  ["more than the cap", 'head -c 2000 /dev/zero > "$AUTOLITH_REPORT"', "too-large"],
])("does not read a report that is %s", async (_, script, report) => {
  await using supervisor = await SupervisorProcess.start({ reportBytes: 1_000 });
  expect(await supervisor.run(["sh", "-c", script], { report: true })).toMatchObject({ report, reportText: "" });
});

test("sends a long report in pieces", async () => {
  await using supervisor = await SupervisorProcess.start();
  const argv = ["sh", "-c", 'head -c 5000000 /dev/zero > "$AUTOLITH_REPORT"'];
  const run = await supervisor.run(argv, { report: true });
  expect(run).toMatchObject({ report: "present" });
  expect(run.reportText.length).toBe(5_000_000);
});

test("tells where Python processes of the run hung, if a report plugin prepared them", async () => {
  await using supervisor = await SupervisorProcess.start();
  await supervisor.put({
    "hang.py":
      "import faulthandler, os, signal, time\n" +
      "faulthandler.register(signal.SIGUSR1, all_threads=True, file=open(os.environ['AUTOLITH_STACKS'], 'w'))\n" +
      "def stuck():\n    time.sleep(60)\nstuck()\n",
  });
  const hung = await supervisor.run(["sh", "-c", "python3 hang.py; true"], { timeoutMs: 1_500, report: true });
  expect(hung).toMatchObject({ status: "timeout", signal: null });
  expect(hung.stack).toMatch(/hang\.py", line 4 in stuck/);
  const unprepared = await supervisor.run(["python3", "-c", "import time; time.sleep(60)"], {
    timeoutMs: 500,
    report: true,
  });
  expect(unprepared).toMatchObject({ status: "timeout", stack: null });
});

test.each([
  ["ptrace", "ctypes.CDLL(None, use_errno=True).ptrace(0, 0, 0, 0)", 1],
  ["a user namespace by unshare", "ctypes.CDLL(None, use_errno=True).unshare(0x10000000)", 1],
  ["a mount", "ctypes.CDLL(None, use_errno=True).mount(b'none', b'/mnt', b'tmpfs', 0, 0)", 1],
  ["limits of another process", "resource.prlimit(os.getppid(), resource.RLIMIT_NOFILE, (16, 16))", 1],
  ["an AF_ALG socket", "socket.socket(38, socket.SOCK_SEQPACKET)", 1],
  ["an AF_VSOCK socket", "socket.socket(40, socket.SOCK_STREAM)", 1],
  ["a packet socket", "socket.socket(17, socket.SOCK_RAW)", 1],
  ["the supervisor's descriptors", "os.listdir('/proc/%d/fd' % os.getppid())", 13],
])("denies %s to everything that runs", async (_, expression, errno) => {
  await using supervisor = await SupervisorProcess.start();
  const code =
    "import ctypes, os, resource, socket\nif os.getuid() == 0: os.setuid(65534)\n" +
    `try:\n  r = ${expression}\n  print(ctypes.get_errno() if r == -1 else r)\nexcept OSError as e: print(e.errno)\n` +
    "except PermissionError: print(1)";
  expect((await supervisor.run(["python3", "-c", code], { cwd: "/" })).stdout.text).toBe(`${errno}\n`);
});

test("lets programs read their own limits, start threads and children, and use sockets", async () => {
  await using supervisor = await SupervisorProcess.start();
  const code =
    "import resource, socket, subprocess, threading\nresource.prlimit(0, resource.RLIMIT_NOFILE)\n" +
    "t = threading.Thread(target=print); t.start(); t.join()\nsocket.socket().close()\n" +
    "print(subprocess.run(['echo', 'fine'], capture_output=True).stdout)";
  expect((await supervisor.run(["python3", "-c", code])).stdout.text).toBe("\nb'fine\\n'\n");
});
