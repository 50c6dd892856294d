import { expect, test } from "vitest";
import { RequestError } from "../../src/sandbox/pending-request.ts";
import type { WorkspaceFile } from "../../src/sandbox/sandbox.ts";
import { never } from "../docker/engine-under-test.ts";
import { hostileSandbox, textFile } from "./hostile-sandbox.ts";

const mebibyte = 1024 * 1024;

const hostile = hostileSandbox({ workspaceBytes: 64 * mebibyte, workspaceFiles: 2_000 });

function link(path: string, target: string): WorkspaceFile {
  return { path, kind: "symlink", executable: false, bytes: Buffer.from(target) };
}

async function text(path: string): Promise<string | null> {
  const file = await hostile.sandbox.get(path, mebibyte, never);
  return file === null ? null : Buffer.from(file.bytes).toString();
}

/** What the product does after such a run: nothing else may run while the workspace is over its cap. */
function empty(): Promise<void> {
  return hostile.sandbox.put([], { reset: true }, never);
}

test("ends a run that fills the workspace", async () => {
  const result = await hostile.shell("i=0; while :; do i=$((i + 1)); head -c 10000000 /dev/zero > fill$i; done");
  expect(result.status).toBe("output-limit");
  expect(result.stderr.text).toMatch(/workspace/);
  await empty();
});

test("ends a run that fills the workspace with small files", async () => {
  const result = await hostile.run(["python3", "-c", "for i in range(10**7): open(f'f{i}', 'w').close()"]);
  expect(result.status).toBe("output-limit");
  expect(result.stderr.text).toMatch(/workspace/);
  await empty();
});

test("ends an execution that fills the workspace", async () => {
  const code =
    "import itertools\nfor i in itertools.count():\n    with open(f'fill{i}', 'wb') as file: file.write(bytes(10_000_000))";
  const result = await hostile.python(code);
  expect(result.status).toBe("output-limit");
  await empty();
});

test("lets no single file become larger than the workspace may be", async () => {
  const result = await hostile.shell("head -c 4000000000 /dev/zero > fill; stat -c %s fill");
  expect(Number(result.stdout.text)).toBeLessThanOrEqual(64 * mebibyte);
  await empty();
});

test("counts what a process has deleted but still holds open", async () => {
  const code = `
import os
held = []
while True:
    held.append(open("fill", "wb"))
    os.unlink("fill")
    held[-1].write(bytes(10_000_000))`;
  expect((await hostile.run(["python3", "-c", code])).status).toBe("output-limit");
});

test("is not held up by a file of a terabyte of nothing", async () => {
  await hostile.shell("truncate -s 1T hole; echo text > small");
  const started = performance.now();
  const [, small] = await hostile.sandbox.stat(["hole", "small"], never);
  expect(small).toMatchObject({ kind: "file", size: 5 });
  await hostile.sandbox.list(never);
  expect((await hostile.sandbox.get("hole", mebibyte, never))?.bytes.length ?? 0).toBe(0);
  expect(performance.now() - started).toBeLessThan(20_000);
});

test("refuses an upload that is larger than the workspace, and goes on", async () => {
  const bytes = Buffer.alloc(8 * mebibyte);
  const files = Array.from({ length: 10 }, (_, index) => ({ ...textFile(`f${index}`, ""), bytes }));
  const error = await hostile.sandbox.put(files, { reset: true }, never).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(RequestError);
  expect(error).toMatchObject({ requestCode: "no-space" });
});

test("does not write through a link out of the workspace", async () => {
  await hostile.shell(
    "mkdir /tmp/outside; echo before > /tmp/outside/file; ln -s /tmp/outside out; ln -s /tmp/outside/file leaf",
  );
  await expect(hostile.sandbox.put([textFile("out/file", "after")], { reset: false }, never)).rejects.toThrow(
    RequestError,
  );
  await hostile.sandbox.put([textFile("leaf", "after")], { reset: false }, never);
  expect((await hostile.shell("cat /tmp/outside/file; ls /tmp/outside")).stdout.text).toBe("before\nfile\n");
  expect(await hostile.sandbox.get("leaf", 100, never)).toMatchObject({ kind: "file" });
});

test("does not delete through a link out of the workspace", async () => {
  await hostile.shell("mkdir /tmp/outside; echo kept > /tmp/outside/file; ln -s /tmp/outside out");
  await hostile.sandbox.remove(["out/file"], never).catch(() => undefined);
  expect((await hostile.shell("cat /tmp/outside/file")).stdout.text).toBe("kept\n");
});

test("does not read or state through a link", async () => {
  await hostile.shell("ln -s /etc out; ln -s /etc/passwd leaf; ln -s . here; ln -s loop loop");
  expect(await text("out/passwd")).toBeNull();
  expect(await hostile.sandbox.get("leaf", 100, never)).toMatchObject({
    kind: "symlink",
    bytes: Buffer.from("/etc/passwd"),
  });
  expect(await hostile.sandbox.stat(["out/passwd", "leaf", "here/leaf", "loop", "loop/x"], never)).toMatchObject([
    { kind: "other", sha256: null },
    { kind: "symlink" },
    { kind: "other" },
    { kind: "symlink" },
    { kind: "other" },
  ]);
  expect((await hostile.sandbox.list(never)).map(({ path }) => path).sort()).toEqual(["here", "leaf", "loop", "out"]);
});

test.each(["../escape", "/tmp/escape", "a/../../escape", "", ".", "a//b", "a\0b"])(
  "refuses to put, read or delete %j",
  async (path) => {
    await expect(hostile.sandbox.put([textFile(path, "x")], { reset: false }, never)).rejects.toThrow();
    expect(await hostile.sandbox.get(path, 10, never).catch(() => null)).toBeNull();
    await hostile.sandbox.remove([path], never).catch(() => undefined);
    expect((await hostile.shell("ls /escape /tmp/escape 2>/dev/null")).stdout.text).toBe("");
  },
);

test("takes a link that points anywhere as a link", async () => {
  await hostile.sandbox.put([link("l", "/proc/1/mem")], { reset: true }, never);
  expect(await hostile.sandbox.get("l", 100, never)).toMatchObject({
    kind: "symlink",
    bytes: Buffer.from("/proc/1/mem"),
  });
});

test("does not wait at a FIFO, a socket or a device where a file is expected", async () => {
  await hostile.script("import os, socket\nos.mkfifo('pipe')\nsocket.socket(socket.AF_UNIX).bind('socket')");
  const started = performance.now();
  expect(await hostile.sandbox.get("pipe", 10, never)).toBeNull();
  expect(await hostile.sandbox.get("socket", 10, never)).toBeNull();
  expect(await hostile.sandbox.stat(["pipe", "socket"], never)).toMatchObject([{ kind: "other" }, { kind: "other" }]);
  await hostile.sandbox.list(never);
  await hostile.sandbox.put([textFile("pipe", "x")], { reset: false }, never).catch(() => undefined);
  expect(performance.now() - started).toBeLessThan(20_000);
});

test("empties a workspace that resists", async () => {
  await hostile.script(`
import os
os.makedirs("locked/inner"); open("locked/inner/file", "w").close()
os.chmod("locked/inner", 0); os.chmod("locked", 0)
open(b"not-utf8-\\xff", "w").close()
open("-rf", "w").close(); open("new\\nline", "w").close()
for _ in range(1_500):
    os.mkdir("d" * 100); os.chdir("d" * 100)`);
  await hostile.sandbox.list(never).catch(() => undefined);
  await hostile.sandbox.put([], { reset: true }, never);
  expect(await hostile.sandbox.list(never)).toEqual([]);
});

test("makes its repository whatever the workspace and the home folder say to git", async () => {
  await hostile.shell("echo '[core]\n\thooksPath = /work/hooks' > ~/.gitconfig");
  const hook = { ...textFile(".git/hooks/post-commit", "#!/bin/sh\ntouch /tmp/ran\n"), executable: true };
  const config = textFile(".git/config", "[core]\n\tfsmonitor = touch /tmp/ran\n\thooksPath = /work/hooks\n");
  const own = { ...textFile("hooks/post-commit", "#!/bin/sh\ntouch /tmp/ran\n"), executable: true };
  await hostile.sandbox.put([hook, config, own, textFile("a", "1")], { reset: true }, never).catch(() => undefined);
  expect((await hostile.shell("ls /tmp/ran")).exitCode).not.toBe(0);
});
