import { expect, test } from "vitest";
import { hostileSandbox } from "./hostile-sandbox.ts";

const megabyte = 1_000_000;

// So that a whole gigabyte goes through the supervisor before it is called a flood.
const hostile = hostileSandbox({ outputTotalBytes: 1_100 * megabyte });

/** How much the memory of this process grows while something runs. */
async function growthDuring<T>(work: () => Promise<T>): Promise<[T, number]> {
  const before = process.memoryUsage().rss;
  let most = before;
  const sampler = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 20);
  try {
    const result = await work();
    return [result, most - before];
  } finally {
    clearInterval(sampler);
  }
}

test("keeps head and tail of a gigabyte of output, and the host's memory does not grow with it", async () => {
  await hostile.python("kept = 1");
  const code = `
import os
os.write(1, b"first line\\n")
block = b"x" * 1_000_000
for _ in range(1000):
    view = memoryview(block)
    while view:
        view = view[os.write(1, view):]
os.write(1, b"\\nlast line")
kept`;
  const [result, growth] = await growthDuring(() => hostile.python(code, 60_000));
  expect(result).toMatchObject({ status: "ok", value: "1", epoch: 1 });
  expect(result.stdout.text.startsWith("first line\nxxx")).toBe(true);
  expect(result.stdout.text.endsWith("xxx\nlast line")).toBe(true);
  expect(result.stdout.text.length).toBeLessThan(140_000);
  expect(result.stdout.droppedBytes).toBeGreaterThan(999 * megabyte);
  expect(growth).toBeLessThan(32 * megabyte);
});

test("ends an execution that never stops writing, and says so", async () => {
  const [result, growth] = await growthDuring(() => hostile.python("while True: print('y' * 100_000)", 60_000));
  expect(result.status).toBe("output-limit");
  expect(result.stderr.text).toMatch(/longer than 1100000000 bytes/);
  expect(growth).toBeLessThan(32 * megabyte);
});

test("ends a run that never stops writing on either stream", async () => {
  for (const script of ["yes", "yes >&2"]) {
    const [result, growth] = await growthDuring(() => hostile.shell(script, 60_000));
    expect(result).toMatchObject({ status: "output-limit", exitCode: null });
    expect(growth).toBeLessThan(32 * megabyte);
  }
});

test("survives a storm of writes of one byte", async () => {
  const code = "import os\nfor _ in range(200_000): os.write(1, b'x')";
  const result = await hostile.python(code, 60_000);
  expect(result.status).toBe("ok");
  expect(result.stdout.droppedBytes).toBe(200_000 - 2 * 65_536);
});

test("shows bytes that are no text as escapes", async () => {
  const result = await hostile.python("import sys\n_ = sys.stdout.buffer.write(b'\\x00\\xff\\xfe ok \\xc3\\xa9\\n')");
  expect(result.stdout.text).toBe("\u0000\\xff\\xfe ok é\n");
});

test("carries lone surrogates and control characters in a value", async () => {
  const result = await hostile.python("'\\ud800\\x1b[31m\\u202e'");
  expect(result.status).toBe("ok");
  expect(result.value).toContain("[31m");
});

test("answers when the code closes its own output, and prints again afterwards", async () => {
  const result = await hostile.python("import os\nos.close(1)\nos.close(2)\n'still here'");
  expect(result).toMatchObject({ status: "ok", value: "'still here'" });
  expect((await hostile.python("print('back')")).stdout.text).toBe("back\n");
});

test("starts the runtime anew when the code closes every descriptor", async () => {
  await hostile.python("lost = 1");
  const { status, epoch } = await hostile.python("import os\nos.closerange(0, 4096)");
  expect(status).toBe("lost");
  const next = await hostile.python("'lost' in globals()");
  expect(next).toMatchObject({ status: "ok", value: "False" });
  expect(next.epoch).toBeGreaterThanOrEqual(epoch);
});

test("answers when the code puts something else in the place of its output", async () => {
  const code = `
import builtins, io, json, os, sys, time
sys.stdout = sys.stderr = None
builtins.print = json.dumps = os.write = time.time = None
builtins.repr = lambda value: "forged"
'value'`;
  expect(await hostile.python(code)).toMatchObject({ status: "ok", value: "'value'" });
  expect((await hostile.python("1 + 1")).value).toBe("2");
});
