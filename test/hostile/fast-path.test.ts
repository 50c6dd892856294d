import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { never } from "../docker/engine-under-test.ts";
import { SupervisorProcess } from "../sandbox-runtime/supervisor-process.ts";
import { hostileSandbox, textFile } from "./hostile-sandbox.ts";

const hostile = hostileSandbox({ workspaceFiles: 2_000 });

/** Plain executions between such that are not: each must leave the way open for the next, whichever way that takes. */
const pieces = [
  "1 + 1",
  "x = [1, 2]",
  "x",
  "'quotes \" and \\\\ back\\nslashes'",
  "'é'",
  "'\\0'",
  "",
  "# nothing",
  "print('to output')",
  "x.append(3); x",
  "import sys; print('to error', file=sys.stderr); 5",
  "5",
  "1 / 0",
  "x",
  "import time; time.sleep(0.12); 'slow'",
  "'quick'",
  "'y' * 3400",
  "'y' * 5000",
  `len("${"z".repeat(5000)}")`,
  "import threading; gate = threading.Event(); thread = threading.Thread(target=gate.wait); thread.start()",
  "gate.set(); thread.join()",
  "import subprocess; subprocess.run(['true']).returncode",
  "import os; os.write(1, b'raw'); 'and a value'",
  "os.set_blocking(1, False)",
  "len(os.environ)",
  "open('made.txt', 'w').write('more')",
  "raise SystemExit(3)",
  "x",
  "from __future__ import annotations",
  "[n for n in range(3)]",
  "import asyncio; await asyncio.sleep(0.01)",
  "'after'",
];

test("gives for every piece of code what the supervisor gives without its fast path", async () => {
  await using plain = await SupervisorProcess.start();
  for (const piece of [...pieces, ...pieces.toReversed(), ...pieces]) {
    const fast = await hostile.python(piece);
    const expected = await plain.execute(piece);
    expect({ piece, ...comparable(fast) }).toEqual({ piece, ...comparable(expected) });
  }
});

test("numbers executions the same way, so that tracebacks name the right one", async () => {
  await hostile.sandbox.sweep(never);
  const where = "import sys; sys._getframe().f_code.co_filename";
  const first = Number(/\d+/.exec((await hostile.python(where)).value ?? "")?.[0]);
  await hostile.python("print('not plain')");
  await hostile.python("1");
  expect((await hostile.python(where)).value).toBe(`'<execution-${first + 3}>'`);
});

test("is interrupted and timed out in an execution that was sent by the fast path", async () => {
  await hostile.python("import time");
  const late = await hostile.python("time.sleep(5)", 300);
  expect(late).toMatchObject({ status: "timeout", exception: { type: "KeyboardInterrupt" } });
  await hostile.python("1");
  const short = await hostile.python("time.sleep(5)", 20);
  expect(short.status).toBe("timeout");
  await hostile.python("1");
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 200);
  const interrupted = hostile.sandbox.execute(
    { language: "python", code: "time.sleep(5)", timeoutMs: 9_000 },
    stop.signal,
  );
  await expect(interrupted).rejects.toThrow();
  expect((await hostile.python("'alive'")).value).toBe("'alive'");
});

test("answers many executions that were asked for at once, in their order", async () => {
  const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => hostile.python(`${index} * 1`)));
  expect(answers.map(({ value }) => value)).toEqual(Array.from({ length: 60 }, (_, index) => String(index)));
});

test("notices at once when a plain execution fills the workspace", async () => {
  await hostile.python("import os");
  const code = "[os.symlink('x', f'link-{n}') for n in range(2_001)] and None";
  expect((await hostile.python(code)).status).toBe("output-limit");
  await hostile.sandbox.put([], { reset: true }, never);
});

test("takes nothing that the supervisor's Python would read differently, whatever bytes come", async () => {
  const seed = String(Math.trunc(Math.random() * 1e9));
  const script = await readFile(new URL("fast_path_properties.py", import.meta.url), "utf8");
  await hostile.sandbox.put([textFile("properties.py", script)], { reset: true }, never);
  const run = await hostile.run(["python3", "properties.py", seed], 60_000);
  expect({ seed, errors: run.stderr.text }).toEqual({ seed, errors: "" });
  const taken = JSON.parse(run.stdout.text) as Record<string, number>;
  expect(taken["replies"]).toBeGreaterThan(1_000);
  expect(taken["requests"]).toBeGreaterThan(100);
  expect(taken["answers"]).toBeGreaterThan(5);
});

function comparable(result: object): object {
  const {
    memoryBytes: _memory,
    durationMs: _duration,
    id: _id,
    event: _event,
    ...rest
  } = result as Record<string, unknown>;
  return rest;
}
