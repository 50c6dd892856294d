import { afterAll, beforeAll, expect, test } from "vitest";
import type { ExceptionReport } from "../../src/sandbox/sandbox.ts";
import { SupervisorProcess } from "./supervisor-process.ts";

let supervisor: SupervisorProcess;
beforeAll(async () => {
  supervisor = await SupervisorProcess.start();
});
afterAll(() => supervisor[Symbol.asyncDispose]());

async function exceptionOf(code: string): Promise<ExceptionReport> {
  const { status, exception } = await supervisor.execute(code);
  expect(status).toBe("error");
  if (exception === null) throw new Error("no exception");
  return exception;
}

/** Locals of the innermost frame of a function that is called with `values` and then fails. */
async function localsOf(assignments: string): Promise<Readonly<Record<string, string>>> {
  const { frames } = await exceptionOf(`def f():\n  ${assignments.replaceAll("\n", "\n  ")}\n  raise ValueError\nf()`);
  return frames.at(-1)?.locals ?? {};
}

test("reports frames of workspace files with their source and locals", async () => {
  await supervisor.put({ "src/shares.py": "def share(total, people):\n    each = total / people\n    return each\n" });
  expect(await exceptionOf("from src.shares import share\nshare(10, 0)")).toEqual({
    type: "ZeroDivisionError",
    message: "division by zero",
    frames: [
      {
        file: expect.stringMatching(/^<execution-\d+>$/),
        line: 2,
        function: "<module>",
        source: "share(10, 0)",
        locals: {},
      },
      {
        file: `${supervisor.workspace}/src/shares.py`,
        line: 2,
        function: "share",
        source: "each = total / people",
        locals: { total: "10", people: "0" },
      },
    ],
  });
});

test("tells the place of a syntax error", async () => {
  const report = await exceptionOf("x = 1\ndef broken(:\n  pass");
  expect(report).toMatchObject({ type: "SyntaxError", frames: [{ line: 2, source: "def broken(:" }] });
});

test("follows causes and contexts, and stops at cycles", async () => {
  const chained = await exceptionOf("try:\n  {}['a']\nexcept KeyError as e:\n  raise RuntimeError('outer') from e");
  expect(chained).toMatchObject({ type: "RuntimeError", cause: { type: "KeyError", message: "'a'" } });
  const context = await exceptionOf("try:\n  1 / 0\nexcept Exception:\n  undefined_name");
  expect(context).toMatchObject({ type: "NameError", cause: { type: "ZeroDivisionError" } });
  const hidden = await exceptionOf("try:\n  1 / 0\nexcept Exception:\n  raise ValueError from None");
  expect(hidden.cause).toBeUndefined();
  const cycle = await exceptionOf("a, b = ValueError('a'), ValueError('b')\na.__cause__ = b\nb.__cause__ = a\nraise a");
  expect(cycle.cause?.cause).toBeUndefined();
});

test("lists the members of exception groups within bounds", async () => {
  const report = await exceptionOf(
    "raise ExceptionGroup('many', [ValueError(i) for i in range(100)] + [ExceptionGroup('in', [KeyError('k')])])",
  );
  expect(report.message).toContain("many (101 sub-exceptions)\n  ValueError: 0\n  ValueError: 1\n");
  expect(report.message).toContain("... 91 more");
  expect(report.cause).toMatchObject({ type: "ValueError", message: "0" });
});

test("keeps the first and the last frames of a deep recursion", async () => {
  const report = await exceptionOf(
    "import sys\nsys.setrecursionlimit(10_000)\ndef dig(depth): return dig(depth + 1)\ndig(0)",
  );
  expect(report.type).toBe("RecursionError");
  expect(report.frames).toHaveLength(41);
  expect(report.frames[12]).toMatchObject({ function: expect.stringMatching(/^<9\d\d\d frames left out>$/) });
  expect(report.frames[1]?.locals).toEqual({ depth: "0" });
});

test("shows locals of all kinds within bounds", async () => {
  const shown = await localsOf(
    "import collections, pathlib\nnumbers = list(range(1_000_000))\nnested = [[[[[1]]]]]\ntext = 'é\\x00' * 10_000\n" +
      "path = pathlib.PurePosixPath('/a')\nnothing = None\ncycle = {}\ncycle['me'] = cycle\n" +
      "counter = collections.Counter('aab')\nkind = dict\nmake = lambda: 1",
  );
  expect(shown).toMatchObject({
    nested: "[[[[...]]]]",
    path: "PurePosixPath('/a')",
    nothing: "None",
    cycle: "{'me': {...}}",
    counter: "Counter({'a': 2, 'b': 1})",
    kind: "<class dict>",
  });
  expect(shown["numbers"]).toBe(`[${[...Array(20).keys()].join(", ")}, ... 999980 more]`);
  expect(shown["text"]?.length).toBeLessThanOrEqual(4_096);
  expect(shown).not.toHaveProperty("collections");
});

test("redacts values under secret names and values that look like secrets", async () => {
  const key = "c2VjcmV0S2V5MTIzNDU2Nzg5QUJDREVGZ2hpSktM";
  const shown = await localsOf(
    `api_key = 'abc'\nuserToken = 'abc'\npassword = 12345\nconfig = {'db_password': 'x', 'host': 'h'}\n` +
      `headers = {'Authorization': 'Bearer abc', 'Accept': '*/*'}\nkey = 'plain'\nblob = '${key}'\nauthor = 'Ann'\n` +
      "token_count = 5\npat = 'see ghp_0123456789abcdefABCDEF0123456789abcd'\nsession_cookie = None\n" +
      `digest = '${"0123456789abcdef".repeat(4)}'\ncredentials = ['a', {'b': 'c'}]`,
  );
  expect(shown).toEqual({
    api_key: "<redacted>",
    userToken: "<redacted>",
    password: "<redacted>",
    config: "{'db_password': <redacted>, 'host': 'h'}",
    headers: "{'Authorization': <redacted>, 'Accept': '*/*'}",
    key: "'plain'",
    blob: "'<redacted>'",
    author: "'Ann'",
    token_count: "5",
    pat: "'see <redacted>'",
    session_cookie: "None",
    digest: `'${"0123456789abcdef".repeat(4)}'`,
    credentials: "[<redacted>, {'b': <redacted>}]",
  });
});

test("survives objects whose methods raise, hang or lie", async () => {
  const code =
    "class Evil(Exception):\n  def __str__(self): raise KeyboardInterrupt\n" +
    "  def __repr__(self):\n    while True:\n      try:\n        while True: pass\n      except Exception: pass\n" +
    "class Liar:\n  def __repr__(self): return 5\n  __class__ = property(lambda self: 1 / 0)\n" +
    "def f():\n  evil = Evil(); others = [Evil() for _ in range(50)]; liar = Liar()\n  raise evil\nf()";
  const { status, exception, durationMs } = await supervisor.execute(code);
  expect(status).toBe("error");
  expect(exception).toMatchObject({ type: "Evil", message: "<str() raised KeyboardInterrupt>" });
  expect(exception?.frames.at(-1)?.locals).toMatchObject({
    evil: "<Evil object: repr() raised TimeIsUp>",
    liar: expect.stringContaining("Liar object: repr() raised"),
  });
  expect(durationMs).toBeLessThan(5_000);
});

test("does not read source from anything but a regular file", async () => {
  const report = await exceptionOf(
    "import os\nos.mkfifo('pipe.py')\nexec(compile('1 / 0', os.path.abspath('pipe.py'), 'exec'), {})",
  );
  expect(report.frames.at(-1)).toMatchObject({ file: `${supervisor.workspace}/pipe.py`, source: "" });
});

test("keeps a result of an exception with huge frames below the limit of a header", async () => {
  const report = await exceptionOf(
    "def f(n):\n  " +
      Array.from({ length: 39 }, (_, index) => `v${index} = '\\x00' * 5000`).join("\n  ") +
      "\n  return f(n - 1) if n else 1 / 0\nf(30)",
  );
  expect(Buffer.byteLength(JSON.stringify(report))).toBeLessThan(512 * 1024);
  expect(report.type).toBe("ZeroDivisionError");
});

test("does not take an interrupt that code raises itself for one from outside", async () => {
  const report = await exceptionOf("raise KeyboardInterrupt('mine')");
  expect(report).toMatchObject({ type: "KeyboardInterrupt", message: "mine" });
});

test("treats sys.exit as an ending that keeps the runtime", async () => {
  await supervisor.execute("kept = 1");
  const result = await supervisor.execute("import sys\nprint('bye')\nsys.exit(3)");
  expect(result).toMatchObject({ status: "exited", stdout: { text: "bye\n" }, exception: { type: "SystemExit" } });
  expect((await supervisor.execute("kept")).value).toBe("1");
});
