import { expect, test } from "vitest";
import { hostileSandbox } from "./hostile-sandbox.ts";

const mebibyte = 1024 * 1024;

const hostile = hostileSandbox({ memoryBytes: 192 * mebibyte, tmpBytes: 48 * mebibyte });

const memoryBomb = "hoard = []\nwhile True: hoard.append(bytearray(b'x') * (8 << 20))";

test("a memory bomb in the live runtime is out of memory, and the runtime starts anew", async () => {
  const { epoch } = await hostile.python("gone = 1");
  const result = await hostile.python(memoryBomb, 30_000);
  expect(result.status).toBe("oom");
  expect(result.epoch).toBeGreaterThan(epoch);
});

test("a memory bomb in a run is out of memory", async () => {
  expect(await hostile.run(["python3", "-c", memoryBomb], 30_000)).toMatchObject({ status: "oom", exitCode: null });
});

test("a memory bomb in a child leaves the live runtime its state", async () => {
  await hostile.python("kept = 1");
  const code = `
import subprocess
code = ${JSON.stringify(memoryBomb)}
# The child is the kernel's first choice, as anything greedy would be.
subprocess.run(["python3", "-c", "open('/proc/self/oom_score_adj', 'w').write('1000')\\n" + code]).returncode`;
  expect(await hostile.python(code, 30_000)).toMatchObject({ status: "ok", value: "-9" });
  expect((await hostile.python("kept")).value).toBe("1");
});

test("filling /tmp ends at its size", async () => {
  const code = `
import os
def fill():
    with open("/tmp/fill", "wb", buffering=0) as file:
        while True:
            file.write(b"x" * 1_000_000)
fill()`;
  const result = await hostile.python(code, 30_000);
  expect(result).toMatchObject({ status: "error", exception: { type: "OSError" } });
  expect(result.exception?.message).toMatch(/No space left/);
});

test("filling shared memory ends at its size", async () => {
  const result = await hostile.shell("head -c 200000000 /dev/zero > /dev/shm/fill; ls /dev/shm; rm /dev/shm/fill");
  expect(["exited", "oom"]).toContain(result.status);
});
