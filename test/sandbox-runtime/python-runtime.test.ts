import { expect, test } from "vitest";
import { SupervisorProcess } from "./supervisor-process.ts";

test("keeps variables, functions and imports between executions", async () => {
  await using supervisor = await SupervisorProcess.start();
  await supervisor.execute("import math\nside = 3\ndef area(x): return x * x");
  expect(await supervisor.execute("area(side) + math.floor(0.5)")).toMatchObject({
    status: "ok",
    value: "9",
    epoch: 1,
  });
});

test("awaits at the top level on one lasting event loop", async () => {
  await using supervisor = await SupervisorProcess.start();
  await supervisor.execute(
    "import asyncio\nevent = asyncio.Event()\nasync def later():\n  await event.wait()\n  return 'done'",
  );
  const started = await supervisor.execute("task = asyncio.create_task(later())\nawait asyncio.sleep(0)");
  expect(started.background).toEqual([expect.stringContaining("task ")]);
  expect(await supervisor.execute("event.set()\nawait task")).toMatchObject({ value: "'done'", background: [] });
  const hanging = await supervisor.execute("await asyncio.sleep(60)", { timeoutMs: 200 });
  expect(hanging).toMatchObject({ status: "timeout", epoch: 1, background: [] });
  expect((await supervisor.execute("await asyncio.sleep(0, 'alive')")).value).toBe("'alive'");
});

test("keeps a future import for later executions", async () => {
  await using supervisor = await SupervisorProcess.start();
  await supervisor.execute("from __future__ import annotations");
  expect((await supervisor.execute("def f(x: Missing): pass\nf.__annotations__")).value).toBe("{'x': 'Missing'}");
});

test("separates standard output from standard error, and takes what C code and children print", async () => {
  await using supervisor = await SupervisorProcess.start();
  const result = await supervisor.execute(
    "import sys, os, ctypes, subprocess\nprint('text')\nsys.stderr.write('error')\nos.write(1, b'raw\\n')\n" +
      "ctypes.CDLL(None).printf(b'from C\\n')\nsubprocess.run(['echo', 'child']);",
  );
  expect(result.stdout.text.split("\n").sort()).toEqual(["", "child", "from C", "raw", "text"]);
  expect(result.stderr.text).toBe("error");
});

test("writes bytes that are not UTF-8 as escapes and keeps everything else", async () => {
  await using supervisor = await SupervisorProcess.start();
  const result = await supervisor.execute("import os\nos.write(1, b'\\xff\\x00\\xc3\\xa9\\n')\nprint('\\ud800')");
  expect(result.stdout.text).toBe("\\xff\0é\n\\ud800\n");
});

test("names modules whose file has changed since, by content", async () => {
  await using supervisor = await SupervisorProcess.start();
  await supervisor.put({ "shop/__init__.py": "", "shop/prices.py": "PRICE = 1\n", "other.py": "" });
  expect(await supervisor.execute("import other, shop.prices as p\np.PRICE")).toMatchObject({ value: "1", stale: [] });
  await supervisor.put({ "shop/prices.py": "PRICE = 2\n", "other.py": "" });
  expect(await supervisor.execute("p.PRICE")).toMatchObject({ value: "1", stale: ["shop/prices.py"] });
  const reloaded = await supervisor.execute("import importlib\nimportlib.reload(p).PRICE");
  expect(reloaded).toMatchObject({ value: "2", stale: [] });
});

test("runs the new code of a module edited twice within a second at the same size", async () => {
  await using supervisor = await SupervisorProcess.start();
  for (const number of ["1", "2", "3"]) {
    await supervisor.put({ "constant.py": `VALUE = ${number}\n` });
    const code = "import constant";
    const ran = await supervisor.run(["python3", "-c", `${code}; print(constant.VALUE)`], {
      env: { PYTHONDONTWRITEBYTECODE: "" },
    });
    expect(ran.stdout.text).toBe(`${number}\n`);
    const live = await supervisor.execute(`import sys; sys.modules.pop('constant', None)\n${code}\nconstant.VALUE`);
    expect(live.value).toBe(number);
  }
});

test("names threads and children that are still running, and neither waits for them nor kills them", async () => {
  await using supervisor = await SupervisorProcess.start();
  const result = await supervisor.execute(
    "import subprocess, threading\ngo = threading.Event()\nwaiter = threading.Thread(target=go.wait, name='waiter'); waiter.start()\n" +
      "child = subprocess.Popen(['sleep', '1000'])",
  );
  expect(result).toMatchObject({ status: "ok", epoch: 1 });
  expect(result.background).toEqual(["thread waiter", expect.stringMatching(/^child process \d+ \(sleep\)$/)]);
  expect((await supervisor.execute("child.poll() is None")).value).toBe("True");
  expect((await supervisor.execute("go.set(); waiter.join(); child.kill(); child.wait()")).background).toEqual([]);
});

test("never mixes what an earlier execution's child writes into a later one", async () => {
  await using supervisor = await SupervisorProcess.start();
  await supervisor.execute(
    "import subprocess\nchild = subprocess.Popen(['sh', '-c', 'read x; while echo late; do sleep 0.01; done'], stdin=-1)",
  );
  const result = await supervisor.execute(
    "import time\nchild.stdin.write(b'\\n'); child.stdin.flush()\ntime.sleep(0.3)\nprint('mine')\nchild.poll()",
  );
  expect(result).toMatchObject({ stdout: { text: "mine\n" }, value: null });
});

test("starts every execution in the workspace, with its own output and interrupts, whatever the last one did", async () => {
  await using supervisor = await SupervisorProcess.start();
  await supervisor.execute(
    "import io, os, signal, sys\nos.chdir('/')\nsys.stdout = io.StringIO()\nsys.path[:] = []\nos.umask(0o777)\n" +
      "signal.signal(signal.SIGINT, signal.SIG_IGN)\nsignal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])",
  );
  const result = await supervisor.execute("print(os.getcwd(), os.umask(0o22), sys.path)");
  expect(result.stdout.text).toBe(`${supervisor.workspace} 18 ['${supervisor.workspace}']\n`);
  expect(await supervisor.execute("while True: pass", { timeoutMs: 200 })).toMatchObject({
    status: "timeout",
    epoch: 1,
  });
});

test("works on when user code replaces what a driver could rely on", async () => {
  await using supervisor = await SupervisorProcess.start();
  await supervisor.execute(
    "import builtins, json, os, sys, time, linecache, threading, signal, struct, socket\n" +
      "def broken(*a, **k): raise RuntimeError('broken')\n" +
      "for module in (json, os, time, linecache, threading, signal, struct, socket):\n" +
      "  for name in list(vars(module)):\n" +
      "    if callable(getattr(module, name)) and not isinstance(getattr(module, name), type): setattr(module, name, broken)\n" +
      "for name in ('len', 'repr', 'str', 'print', 'isinstance', 'open', 'getattr', 'compile', 'eval', 'type', 'list', 'dict'):\n" +
      "  setattr(builtins, name, broken)",
  );
  const result = await supervisor.execute("y = {'a': [1]}\ny");
  expect(result).toMatchObject({ status: "ok", value: "{'a': [1]}" });
  const failed = await supervisor.execute("def f(n): return 1 / n\nf(0)");
  expect(failed.exception).toMatchObject({ type: "ZeroDivisionError", message: "division by zero" });
  expect(failed.exception?.frames.at(-1)).toMatchObject({ line: 1, function: "f", locals: { n: "0" } });
});

test("lets neither a fork of user code nor its exit answer for the runtime", async () => {
  await using supervisor = await SupervisorProcess.start();
  const result = await supervisor.execute(
    "import os\npid = os.fork()\n'child' if pid == 0 else (os.waitpid(pid, 0), 'parent')[1]",
  );
  expect(result).toMatchObject({ status: "ok", value: "'parent'", epoch: 1 });
  expect((await supervisor.execute("pid > 0")).value).toBe("True");
});

test("ends a fork of user code as a script would end", async () => {
  await using supervisor = await SupervisorProcess.start();
  const fork = (child: string) =>
    `import os, sys\npid = os.fork()\nif pid == 0: ${child}\nos.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])`;
  expect(await supervisor.execute(fork("sys.exit(3)"))).toMatchObject({ value: "3", epoch: 1 });
  const failed = await supervisor.execute(fork("1 / 0"));
  expect(failed).toMatchObject({ value: "1", epoch: 1 });
  expect(failed.stderr.text).toContain("ZeroDivisionError: division by zero");
});

test("awaits although the workspace has files named like modules of the library", async () => {
  await using supervisor = await SupervisorProcess.start();
  await supervisor.put({ "selectors.py": "raise RuntimeError('mine')\n", "asyncio.py": "", "json.py": "VALUE = 1\n" });
  const code = "async def seven(): return 7\nawait seven()";
  expect(await supervisor.execute(code)).toMatchObject({ status: "ok", value: "7" });
});

test("gives up on a runtime that cannot take its output any more", async () => {
  await using supervisor = await SupervisorProcess.start();
  await supervisor.execute(
    "import resource, threading\nthreading.Thread(target=threading.Event().wait, daemon=True).start()\n" +
      "resource.setrlimit(resource.RLIMIT_NOFILE, (4, 4))",
  );
  expect(await supervisor.execute("print('unheard')")).toMatchObject({ status: "lost", epoch: 2 });
  expect((await supervisor.execute("print('heard')")).stdout.text).toBe("heard\n");
});

test("has a fixed environment with nothing of the host", async () => {
  await using supervisor = await SupervisorProcess.start();
  const { value } = await supervisor.execute("import os\nsorted(os.environ)");
  const names = ["HOME", "LANG", "MPLBACKEND", "PATH", "PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "TMPDIR"];
  const allowed = [...names, "LC_CTYPE"];
  expect(JSON.parse((value ?? "").replaceAll("'", '"')).filter((name: string) => !allowed.includes(name))).toEqual([]);
});
