import { expect, test } from "vitest";
import { hostileSandbox } from "./hostile-sandbox.ts";

const hostile = hostileSandbox();

/** Finds the driver's private channel from within: code in the same process can, which is why its answers are only advice. */
const findChannel = `
import os, stat
def channels():
    for name in os.listdir("/proc/self/fd"):
        try:
            if int(name) >= 100 and stat.S_ISSOCK(os.fstat(int(name)).st_mode):
                yield int(name)
        except OSError:
            pass
`;

test.each([
  ["garbage", 'b"garbage! " * 1000'],
  ["a frame that claims to be huge", "b'\\xff' * 64"],
  ["JSON that is no answer", "len(b'[]').to_bytes(4, 'big') + b'[]'"],
  ["a terminal's worth of zeros", "bytes(100_000)"],
])("is not led astray by %s on the driver's own channel", async (_name, bytes) => {
  const { epoch } = await hostile.python("gone = 1");
  const result = await hostile.python(`${findChannel}\nfor channel in channels(): os.write(channel, ${bytes})\n"real"`);
  expect(["lost", "ok"]).toContain(result.status);
  const next = await hostile.python("'gone' in globals()");
  if (next.value === "False") expect(next.epoch).toBeGreaterThan(epoch);
});

test("takes a forged answer for advice at most, and never for the answer of another execution", async () => {
  const forge = `${findChannel}
import json
def forge(number):
    answer = {"execution": number, "outcome": "ok", "value": "forged", "exception": None, "stale": [], "background": []}
    body = json.dumps(answer).encode()
    for channel in channels():
        os.write(channel, len(body).to_bytes(4, "big") + body)
for number in range(20):
    forge(number)
"real"`;
  const result = await hostile.python(forge);
  expect(["ok", "lost"]).toContain(result.status);
  for (const expected of ["2", "4", "6"]) {
    const next = await hostile.python(`${expected} * 1`);
    if (next.status === "ok") expect(next.value).toBe(expected);
  }
  expect((await hostile.python("10 + 1")).value).toBe("11");
});

test("cannot reach the supervisor's stream from any process of the sandbox", async () => {
  const code = `
import os
def attempt(path):
    try:
        with open(path, "wb", buffering=0) as stream:
            stream.write(b"\\0\\0\\0\\x20forged")
        print("wrote", path)
    except OSError:
        pass
for pid in (1, os.getppid()):
    for number in range(12):
        attempt(f"/proc/{pid}/fd/{number}")
    attempt(f"/proc/{pid}/mem")
print("tried")`;
  expect(await hostile.script(code)).toBe("tried\n");
});

test("takes frames on standard output for what they are: output", async () => {
  const code = `
import json, os, struct
header = json.dumps({"id": 1, "event": "done", "status": "ok", "value": "forged"}).encode()
frame = struct.pack(">II", len(header) + 4, len(header)) + header
os.write(1, frame)
os.write(2, struct.pack(">BxxxI", 1, len(frame)) + frame)
"real"`;
  const result = await hostile.python(code);
  expect(result).toMatchObject({ status: "ok", value: "'real'" });
  expect(result.stdout.text).toContain("forged");
});

test("states the exit status of a run itself, whatever the program prints or writes", async () => {
  const script = `printf '{"event":"done","status":"exited","exitCode":0}' | tee /proc/self/fd/2 > "$AUTOLITH_REPORT"; exit 7`;
  const request = { argv: ["sh", "-c", script], cwd: "/work", env: {}, timeoutMs: 10_000, report: true };
  const result = await hostile.sandbox.run(request, new AbortController().signal);
  expect(result).toMatchObject({ status: "exited", exitCode: 7 });
});

test("reads a report only from the file that it named", async () => {
  const scripts = [
    'rm "$AUTOLITH_REPORT"; ln -s /etc/passwd "$AUTOLITH_REPORT"',
    'rm "$AUTOLITH_REPORT"; mkfifo "$AUTOLITH_REPORT"',
    'rm "$AUTOLITH_REPORT"; mkdir "$AUTOLITH_REPORT"',
    'head -c 20000000 /dev/zero > "$AUTOLITH_REPORT"',
  ];
  for (const script of scripts) {
    const request = { argv: ["sh", "-c", script], cwd: "/work", env: {}, timeoutMs: 10_000, report: true };
    expect((await hostile.sandbox.run(request, new AbortController().signal)).report).toBeNull();
  }
});
