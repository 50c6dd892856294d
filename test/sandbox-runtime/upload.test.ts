import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SupervisorProcess } from "./supervisor-process.ts";

function git(supervisor: SupervisorProcess, ...args: string[]): string {
  return execFileSync("git", ["-c", "safe.directory=*", ...args], {
    cwd: supervisor.workspace,
    encoding: "utf8",
  }).trim();
}

test("writes files, executables and symlinks with their folders", async () => {
  await using supervisor = await SupervisorProcess.start();
  const answer = await supervisor.put({
    "a/b/c.txt": "one",
    "run.sh": { mode: "executable", text: "#!/bin/sh\n" },
    link: { mode: "symlink", text: "a/b" },
    "ünï\n-rf.txt": "",
  });
  expect(answer.header).toMatchObject({ event: "done", files: 4, bytes: 16 });
  expect(readFileSync(join(supervisor.workspace, "a/b/c.txt"), "utf8")).toBe("one");
  expect(lstatSync(join(supervisor.workspace, "run.sh")).mode & 0o777).toBe(0o755);
  expect(readlinkSync(join(supervisor.workspace, "link"))).toBe("a/b");
  expect(readdirSync(supervisor.workspace)).toContain("ünï\n-rf.txt");
});

test("takes a long file in pieces and replaces the old one only when it is complete", async () => {
  await using supervisor = await SupervisorProcess.start();
  await supervisor.put({ big: "old" });
  const id = supervisor.nextId();
  const answer = supervisor.answerTo(id);
  const piece = Buffer.alloc(900_000, "x");
  supervisor.sendFrame({ id, verb: "put", reset: false });
  for (const more of [true, true, false])
    supervisor.sendFrame({ id, verb: "put-file", path: "big", mode: "file", more }, piece);
  supervisor.sendFrame({ id, verb: "put-end" });
  expect((await answer).header).toMatchObject({ files: 1, bytes: 2_700_000 });
  expect(lstatSync(join(supervisor.workspace, "big")).size).toBe(2_700_000);

  const broken = supervisor.nextId();
  const refused = supervisor.answerTo(broken);
  supervisor.sendFrame({ id: broken, verb: "put", reset: false });
  supervisor.sendFrame({ id: broken, verb: "put-file", path: "big", mode: "file", more: true }, piece);
  supervisor.sendFrame({ id: broken, verb: "put-end" });
  expect((await refused).header).toMatchObject({ event: "error", code: "bad-request" });
  expect(readdirSync(supervisor.workspace)).toEqual(["big"]);
  expect(lstatSync(join(supervisor.workspace, "big")).size).toBe(2_700_000);
});

test("replaces a file so that it looks at least a second newer, wherever its clock stood", async () => {
  await using supervisor = await SupervisorProcess.start();
  await supervisor.put({ file: "1" });
  const future = Date.now() / 1000 + 1_000;
  utimesSync(join(supervisor.workspace, "file"), future, future);
  await supervisor.put({ file: "2" });
  expect(lstatSync(join(supervisor.workspace, "file")).mtimeMs).toBeGreaterThanOrEqual((future + 1) * 1000 - 1);
});

test("empties everything on reset, however deep or locked, and makes one commit of what comes", async () => {
  await using supervisor = await SupervisorProcess.start();
  await supervisor.execute("kept = 1");
  const script =
    "import os, sys\nos.mkdir('locked'); open('locked/file', 'w').close(); os.chmod('locked', 0)\n" +
    "os.symlink('/', 'root')\nfor _ in range(2000):\n  os.mkdir('deeper-and-deeper'); os.chdir('deeper-and-deeper')\n" +
    "open(os.environ['TMPDIR'] + '/left', 'w').close()";
  expect(await supervisor.run(["python3", "-c", script])).toMatchObject({ exitCode: 0 });
  const answer = await supervisor.put(
    { "src/a.py": "x = 1\n", ".gitignore": "*.log\n", "kept.log": "tracked\n" },
    true,
  );
  expect(answer.header).toMatchObject({ event: "done", files: 3 });
  expect(readdirSync(supervisor.workspace).sort()).toEqual([".git", ".gitignore", "kept.log", "src"]);
  expect(readdirSync(join(supervisor.root, "tmp"))).toEqual(["home"]);
  expect(git(supervisor, "log", "--format=%an %s", "--name-only", "main")).toBe(
    "autolith Start\n\n.gitignore\nkept.log\nsrc/a.py",
  );
  expect(git(supervisor, "status", "--porcelain")).toBe("");
  expect(await supervisor.execute("kept")).toMatchObject({ status: "error", epoch: 2 });
});

test("runs no filter and no hook that the tree asks for, while it makes the commit", async () => {
  await using supervisor = await SupervisorProcess.start();
  const home = join(supervisor.root, "tmp/home");
  writeFileSync(join(home, ".gitconfig"), `[core]\nhooksPath = ${supervisor.workspace}/hooks\n`);
  const hook = { mode: "executable", text: `#!/bin/sh\ntouch ${supervisor.root}/ran\n` };
  const answer = await supervisor.put(
    {
      ".gitattributes": "* filter=evil diff=evil text eol=crlf\n",
      "hooks/post-commit": hook,
      "hooks/pre-commit": hook,
    },
    true,
  );
  expect(answer.header).toMatchObject({ event: "done" });
  expect(existsSync(join(supervisor.root, "ran"))).toBe(false);
});

test("makes a repository of an empty tree", async () => {
  await using supervisor = await SupervisorProcess.start();
  expect((await supervisor.put({}, true)).header).toMatchObject({ event: "done", files: 0, bytes: 0 });
  expect(git(supervisor, "rev-list", "--count", "HEAD")).toBe("1");
});

test("refuses an upload larger than the workspace may be, and goes on", async () => {
  await using supervisor = await SupervisorProcess.start({ workspaceBytes: 1_000 });
  expect((await supervisor.put({ a: "x".repeat(2_000) })).header).toMatchObject({ event: "error", code: "no-space" });
  expect((await supervisor.put({ "a/b": "x" })).header).toMatchObject({ event: "done" });
  expect((await supervisor.put({ "a/b/c": "x" })).header).toMatchObject({ event: "error", code: "bad-request" });
  expect((await supervisor.put({ a: "x" })).header).toMatchObject({ event: "error", code: "bad-request" });
});
