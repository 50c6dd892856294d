import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { SupervisorProcess } from "./supervisor-process.ts";

const pipe = "__import__('os').fstat(1).st_ino";

/** Starts a child that says `late` without end, once it has read a line. */
const chatter =
  "import subprocess\nchild = subprocess.Popen(['sh', '-c', 'read x; while echo late; do :; done'], stdin=-1)";

test("gives the pipes of an idle runtime to its next execution, and to no other process", async () => {
  await using supervisor = await SupervisorProcess.start();
  const first = await supervisor.execute(pipe);
  expect((await supervisor.execute(pipe)).value).toBe(first.value);
  const run = await supervisor.run(["python3", "-c", `print(${pipe})`]);
  expect(run.status).toBe("exited");
  expect((await supervisor.execute("print('still captured')")).stdout.text).toBe("still captured\n");
});

test("gives fresh pipes to executions that are already waiting, when a child holds the old ones", async () => {
  await using supervisor = await SupervisorProcess.start();
  const results = await Promise.all([
    supervisor.execute(pipe),
    supervisor.execute(chatter),
    supervisor.execute("child.stdin.write(b'\\n'); child.stdin.flush()"),
    ...Array.from({ length: 50 }, () => supervisor.execute(`print('mine')\n${pipe}`)),
  ]);
  const [first, , , ...later] = results;
  for (const result of later) expect(result.stdout.text).toBe("mine\n");
  expect(later.map(({ value }) => value)).not.toContain(first?.value);
  expect(later[0]?.background).toEqual([expect.stringContaining("child process")]);
});

test("gives fresh pipes after an execution that leaves a thread, which may start a child at any time", async () => {
  await using supervisor = await SupervisorProcess.start();
  await supervisor.execute(
    "import subprocess, threading, time\nout = __import__('os').dup(1)\ndef work():\n  time.sleep(0.1)\n" +
      "  subprocess.run(['sh', '-c', 'echo late; sleep 0.3; echo late'], stdout=out)\n" +
      "worker = threading.Thread(target=work); worker.start()",
  );
  const result = await supervisor.execute("print('mine'); worker.join()");
  expect(result.stdout.text).toBe("mine\n");
});

test("gives fresh pipes after an execution whose child has left a process of its own", async () => {
  await using supervisor = await SupervisorProcess.start();
  const daemon = "import subprocess\nsubprocess.run(['sh', '-c', '(while echo late; do :; done) &'])";
  const results = await Promise.all(
    [daemon, "print('mine')", daemon, "print('mine')"].map((code) => supervisor.execute(code)),
  );
  expect(results.map(({ status }) => status)).toEqual(["ok", "ok", "ok", "ok"]);
  expect([results[1]?.stdout.text, results[3]?.stdout.text]).toEqual(["mine\n", "mine\n"]);
});

test("drops what a runtime writes between executions, and keeps all that it wrote before its answer", async () => {
  await using supervisor = await SupervisorProcess.start();
  const code =
    "import os, signal\nsignal.signal(signal.SIGALRM, lambda *_: os.write(1, b'late'))\n" +
    "signal.setitimer(signal.ITIMER_REAL, 0.1)\nos.write(1, b'x' * 60000)\nos.write(2, b'y' * 60000)";
  const first = await supervisor.execute(code);
  expect([first.stdout.text, first.stderr.text]).toEqual(["x".repeat(60_000), "y".repeat(60_000)]);
  await sleep(300);
  expect(await supervisor.execute("1")).toMatchObject({ stdout: { text: "" }, stderr: { text: "" }, epoch: 1 });
});

test("gives pipes back as blocking as they were", async () => {
  await using supervisor = await SupervisorProcess.start();
  await supervisor.execute("import os\nos.set_blocking(1, False); os.set_blocking(2, False)");
  expect((await supervisor.execute("os.get_blocking(1), os.get_blocking(2)")).value).toBe("(True, True)");
  const flood = await supervisor.execute("print('z' * 1_000_000, flush=True)");
  expect(flood).toMatchObject({ status: "ok", exception: null });
});

test("captures from fresh pipes when more was written than one stream may hold", async () => {
  await using supervisor = await SupervisorProcess.start({ outputTotal: 1 << 20 });
  const most = await supervisor.execute("import os\nfor _ in range(15): os.write(1, b'x' * 65536)\n1");
  expect(most).toMatchObject({ status: "ok", value: "1" });
  const again = await supervisor.execute("import os\nfor _ in range(15): os.write(1, b'x' * 65536)\n2");
  expect(again).toMatchObject({ status: "ok", value: "2" });
  const flood = await supervisor.execute("while True: os.write(1, b'x' * 65536)");
  expect(flood).toMatchObject({ status: "output-limit", epoch: 2 });
  expect((await supervisor.execute("print('new')")).stdout.text).toBe("new\n");
});

test("writes nothing into files that user code opens in the place of those that it closed", async () => {
  await using supervisor = await SupervisorProcess.start();
  const opened = await supervisor.execute(
    "import os, signal\nsignal.signal(signal.SIGALRM, lambda *_: os.write(1, b'late'))\n" +
      "signal.setitimer(signal.ITIMER_REAL, 0.1)\nos.closerange(3, 100)\n" +
      "files = [open(f'file-{number}', 'w') for number in range(20)]\n1",
  );
  expect(opened).toMatchObject({ status: "ok", value: "1", epoch: 1 });
  await sleep(300);
  const result = await supervisor.execute("print('mine')\nsum(os.fstat(file.fileno()).st_size for file in files)");
  expect(result).toMatchObject({ value: "0", stdout: { text: "mine\n" }, epoch: 1 });
});

test("captures the output of a runtime that may open no more files", async () => {
  await using supervisor = await SupervisorProcess.start();
  await supervisor.execute("import resource\nresource.setrlimit(resource.RLIMIT_NOFILE, (4, 4))");
  expect(await supervisor.execute("print('heard')")).toMatchObject({ stdout: { text: "heard\n" }, epoch: 1 });
});

test("lets a run write into pipes that no runtime has held", async () => {
  await using supervisor = await SupervisorProcess.start();
  await supervisor.execute("import os, signal\nout = os.dup(1)");
  await supervisor.execute(
    "signal.signal(signal.SIGALRM, lambda *_: os.write(out, b'forged'))\nsignal.setitimer(signal.ITIMER_REAL, 0.1)",
  );
  expect((await supervisor.run(["sh", "-c", "echo mine; sleep 0.3"])).stdout.text).toBe("mine\n");
});
