import { expect, test } from "vitest";
import { hostileSandbox } from "./hostile-sandbox.ts";

const hostile = hostileSandbox();

/** The largest header of a result, by the protocol. */
const mostText = 512 * 1024;

async function expectBounded(code: string): Promise<string> {
  const result = await hostile.python(code, 20_000);
  expect(result.status).toBe("ok");
  expect(JSON.stringify(result).length).toBeLessThan(mostText);
  return result.value ?? "";
}

test.each([
  ["a list of a million elements", "list(range(1_000_000))"],
  ["a dictionary of a million elements", "{i: str(i) for i in range(1_000_000)}"],
  ["a text of a hundred megabytes", "'x' * 100_000_000"],
  ["bytes of a hundred megabytes", "bytes(100_000_000)"],
  ["lists nested a thousand deep", "value = []\nfor _ in range(1_000): value = [value]\nvalue"],
  ["a list that holds itself", "loop = []\nloop.append(loop)\nloop"],
  ["an integer of a million digits", "10 ** 1_000_000"],
  ["an endless generator", "import itertools\nitertools.count()"],
  ["a repr of a hundred megabytes", "class Long:\n    def __repr__(self): return 'x' * 100_000_000\nLong()"],
  ["a repr that raises", "class Bad:\n    def __repr__(self): raise RuntimeError('no')\n[Bad(), Bad()]"],
  ["a repr that ends the process", "class Bad:\n    def __repr__(self): raise SystemExit\nBad()"],
  ["a repr that is no text", "class Bad:\n    def __repr__(self): return 5\nBad()"],
  [
    "a class that lies about itself",
    "class Bad:\n    __class__ = property(lambda self: 1 / 0)\n    def __getattribute__(self, name): raise OSError\nBad()",
  ],
])("shows %s in bounded text", async (_name, code) => {
  expect((await expectBounded(code)).length).toBeGreaterThan(0);
});

test("ends a repr that never ends at the deadline", async () => {
  const code = "class Slow:\n    def __repr__(self):\n        while True: pass\nSlow()";
  expect((await hostile.python(code, 500)).status).toBe("timeout");
});

test("bounds an exception, its frames, their locals and its causes", async () => {
  const code = `
class Bad:
    def __repr__(self): raise RuntimeError
    def __str__(self): raise RuntimeError
def deep(n, huge=list(range(1_000_000)), bad=Bad(), text="y" * 10_000_000):
    many = {str(i): i for i in range(100)}
    if n == 0:
        raise ValueError("z" * 10_000_000)
    try:
        deep(n - 1)
    except ValueError as error:
        raise ValueError("again") from error
deep(100)`;
  const result = await hostile.python(code, 20_000);
  expect(result).toMatchObject({ status: "error", exception: { type: "ValueError" } });
  expect(JSON.stringify(result).length).toBeLessThan(mostText);
});

test("survives causes in a circle, groups in groups, and an exception that cannot be shown", async () => {
  const circle = "a, b = ValueError(1), ValueError(2)\na.__cause__, b.__cause__ = b, a\nraise a";
  const groups = "group = ValueError()\nfor _ in range(500): group = ExceptionGroup('g', [group])\nraise group";
  const mute = "class Mute(Exception):\n    def __str__(self): raise self\n    __repr__ = __str__\nraise Mute()";
  for (const code of [circle, groups, mute]) expect((await hostile.python(code)).status).toBe("error");
});

test("survives endless recursion, with the interpreter's own limit and without", async () => {
  expect(await hostile.python("def f(): f()\nf()")).toMatchObject({
    status: "error",
    exception: { type: "RecursionError" },
  });
  const without = "import sys\nsys.setrecursionlimit(10**9)\ndef f(x): return [f(y) for y in [x]]\nf(1)";
  expect(["error", "signalled", "oom", "timeout"]).toContain((await hostile.python(without, 5_000)).status);
});

test("redacts locals that look like secrets", async () => {
  const code =
    "def call(password, api_token, plain):\n    raise ValueError\ncall('hunter2-value', 'abcdef-value', 'shown')";
  const locals = (await hostile.python(code)).exception?.frames.at(-1)?.locals ?? {};
  expect(JSON.stringify(locals)).not.toMatch(/hunter2|abcdef/);
  expect(locals["plain"]).toBe("'shown'");
});

test("runs code that is no Python, empty, or has characters of every kind", async () => {
  expect(await hostile.python("def")).toMatchObject({ status: "error", exception: { type: "SyntaxError" } });
  expect((await hostile.python("")).status).toBe("ok");
  expect((await hostile.python("'é𝄞\\u202e\\x00'")).status).toBe("ok");
  expect((await hostile.python("x = '\0'")).status).toBe("error");
  expect((await hostile.python("'\ud800'")).status).toMatch(/ok|error/);
  expect((await hostile.python(`${"(".repeat(5_000)}${")".repeat(5_000)}`)).status).toBe("error");
});
