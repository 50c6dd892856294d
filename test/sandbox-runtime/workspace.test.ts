import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
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

test.each(["../out", "/etc/out", "a/../../out", "a//b", "./a", "a/", "", ".", "a\0b", `${"d/".repeat(3000)}x`])(
  "refuses the path %j for every verb",
  async (path) => {
    await using supervisor = await SupervisorProcess.start();
    const answers = [
      await supervisor.put({ [path]: "x" }),
      await supervisor.request({ verb: "get", path, maxBytes: 10 }),
      await supervisor.request({ verb: "stat", paths: [path] }),
      await supervisor.request({ verb: "remove", paths: [path] }),
    ];
    for (const { header } of answers) expect(header).toMatchObject({ event: "error", code: "bad-request" });
    expect(existsSync(join(supervisor.root, "out"))).toBe(false);
  },
);

test("never goes through a symlink, neither as the file nor on the way", async () => {
  await using supervisor = await SupervisorProcess.start();
  const outside = join(supervisor.root, "outside");
  mkdirSync(outside);
  writeFileSync(join(outside, "secret"), "secret");
  symlinkSync(outside, join(supervisor.workspace, "folder"));
  symlinkSync(join(outside, "secret"), join(supervisor.workspace, "file"));

  expect((await supervisor.put({ "folder/new": "x" })).header).toMatchObject({ event: "error", code: "bad-request" });
  expect((await supervisor.put({ file: "mine" })).header).toMatchObject({ event: "done" });
  expect(readFileSync(join(supervisor.workspace, "file"), "utf8")).toBe("mine");
  expect((await supervisor.request({ verb: "remove", paths: ["folder/secret"] })).header).toMatchObject({
    event: "error",
  });
  const get = await supervisor.request({ verb: "get", path: "folder/secret", maxBytes: 100 });
  expect(get).toMatchObject({ data: [], header: { kind: "other", size: 0 } });
  const stat = await supervisor.request({ verb: "stat", paths: ["folder/secret", "folder/missing", "folder"] });
  const target = createHash("sha256").update(outside).digest("hex");
  expect(stat.data[0]?.header["entries"]).toMatchObject([
    { kind: "other", sha256: null },
    { kind: "other", sha256: null },
    { kind: "symlink", size: outside.length, sha256: target },
  ]);
  expect(readdirSync(outside)).toEqual(["secret"]);
  expect(readFileSync(join(outside, "secret"), "utf8")).toBe("secret");
});

test("reads what is a file or a symlink, and nothing else", async () => {
  await using supervisor = await SupervisorProcess.start();
  await supervisor.put({ "folder/file": "content", link: { mode: "symlink", text: "/etc/passwd" } });
  execFileSync("mkfifo", [join(supervisor.workspace, "fifo")]);
  const get = async (path: string, maxBytes = 100) => {
    const { header, data } = await supervisor.request({ verb: "get", path, maxBytes });
    return [header["kind"], Buffer.concat(data.map(({ binary }) => binary)).toString()];
  };
  expect(await get("folder/file")).toEqual(["file", "content"]);
  expect(await get("folder/file", 6)).toEqual(["too-large", ""]);
  expect(await get("link")).toEqual(["symlink", "/etc/passwd"]);
  expect(await get("fifo")).toEqual(["other", ""]);
  expect(await get("folder")).toEqual(["other", ""]);
  expect(await get("missing")).toEqual(["missing", ""]);
  expect(await get("folder/file/below")).toEqual(["missing", ""]);
});

test("sends a long file whole", async () => {
  await using supervisor = await SupervisorProcess.start();
  const content = Buffer.alloc(5_000_000, "0123456789");
  writeFileSync(join(supervisor.workspace, "long"), content);
  const { data } = await supervisor.request({ verb: "get", path: "long", maxBytes: 10_000_000 });
  expect(Buffer.concat(data.map(({ binary }) => binary)).equals(content)).toBe(true);
});

test("lists every file and symlink but those of the repository, in frames of at most 1,000", async () => {
  await using supervisor = await SupervisorProcess.start();
  const files = Object.fromEntries(
    Array.from({ length: 2_500 }, (_, index) => [`d${index % 7}/f${index}`, `${index}`]),
  );
  await supervisor.put({ ...files, link: { mode: "symlink", text: "d0" } }, true);
  const { data, header } = await supervisor.request({ verb: "stat", all: true });
  const entries = data.flatMap(({ header }) => header["entries"] as { path: string; kind: string }[]);
  expect(data.map(({ header }) => (header["entries"] as unknown[]).length)).toEqual([1_000, 1_000, 501]);
  expect(new Set(entries.map(({ path }) => path))).toEqual(new Set([...Object.keys(files), "link"]));
  expect(header).toMatchObject({ event: "done" });
});

test("brings names that are not UTF-8 there and back", async () => {
  await using supervisor = await SupervisorProcess.start();
  writeFileSync(Buffer.concat([Buffer.from(`${supervisor.workspace}/`), Buffer.from([0xff, 0x61])]), "raw");
  const listed = await supervisor.request({ verb: "stat", all: true });
  const entries = listed.data.flatMap(({ header }) => header["entries"] as { path: string }[]);
  expect(entries).toMatchObject([{ path: "\udcffa", kind: "file", size: 3 }]);
  const read = await supervisor.request({ verb: "get", path: "\udcffa", maxBytes: 10 });
  expect(read.data[0]?.binary.toString()).toBe("raw");
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

test("removes files and symlinks, and minds neither what is missing nor what is on the other side of a link", async () => {
  await using supervisor = await SupervisorProcess.start();
  await supervisor.put({ "a/file": "x", link: { mode: "symlink", text: "a/file" } });
  const answer = await supervisor.request({ verb: "remove", paths: ["link", "missing", "no/where"] });
  expect(answer.header).toMatchObject({ event: "done" });
  expect(readdirSync(supervisor.workspace)).toEqual(["a"]);
  expect(existsSync(join(supervisor.workspace, "a/file"))).toBe(true);
  const folder = await supervisor.request({ verb: "remove", paths: ["a"] });
  expect(folder.header).toMatchObject({ event: "error", code: "bad-request" });
});

test("refuses an upload larger than the workspace may be, and goes on", async () => {
  await using supervisor = await SupervisorProcess.start({ workspaceBytes: 1_000 });
  expect((await supervisor.put({ a: "x".repeat(2_000) })).header).toMatchObject({ event: "error", code: "no-space" });
  expect((await supervisor.put({ "a/b": "x" })).header).toMatchObject({ event: "done" });
  expect((await supervisor.put({ "a/b/c": "x" })).header).toMatchObject({ event: "error", code: "bad-request" });
  expect((await supervisor.put({ a: "x" })).header).toMatchObject({ event: "error", code: "bad-request" });
});
