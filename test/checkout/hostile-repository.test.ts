import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openObjectStore } from "../../src/checkout/object-store.ts";
import { snapshotFolder } from "../../src/checkout/snapshot.ts";
import { type TemporaryFolder, temporaryFolder } from "./temporary-folder.ts";

const { signal } = new AbortController();

/** Kind, size and times of everything in the folder, `.git` included: what a git that looked around would have changed. */
function everything(folder: TemporaryFolder): Record<string, string> {
  const names = readdirSync(folder.path, { recursive: true, encoding: "utf8" });
  return Object.fromEntries(
    names.map((name) => {
      const { ino, mode, size, mtimeNs, ctimeNs } = lstatSync(join(folder.path, name), { bigint: true });
      return [name, `${ino} ${mode} ${size} ${mtimeNs} ${ctimeNs}`];
    }),
  );
}

function script(folder: TemporaryFolder): string {
  return `#!/bin/sh\ntouch ${folder.path}/ran\ncat\n`;
}

test("runs nothing that a repository's configuration names, and writes nothing to it", async () => {
  await using store = await openObjectStore(signal);
  using traps = temporaryFolder();
  using folder = temporaryFolder();
  traps.write({ trap: script(traps), included: `[core]\n\tfsmonitor = ${traps.path}/trap\n` }, 0o755);
  const trap = join(traps.path, "trap");
  folder.write({
    ".gitattributes": "* filter=x diff=x merge=x\n*.txt text eol=crlf ident\n",
    "a.txt": "$Id$\na\n",
    "b.py": "b\n",
  });
  folder.commit();
  folder.write({ "a.txt": "$Id$\nchanged\n", "new.txt": "n\n" });
  folder.write(
    {
      ".git/config": [
        "[core]",
        "\trepositoryformatversion = 0",
        `\tfsmonitor = ${trap}`,
        `\thooksPath = ${traps.path}`,
        `\tsshCommand = ${trap}`,
        `\tpager = ${trap}`,
        `\teditor = ${trap}`,
        "\tautocrlf = true",
        "\tworktree = /",
        '[filter "x"]',
        `\tclean = ${trap}`,
        `\tsmudge = ${trap}`,
        `\tprocess = ${trap}`,
        "\trequired = true",
        '[diff "x"]',
        `\tcommand = ${trap}`,
        `\ttextconv = ${trap}`,
        "[diff]",
        `\texternal = ${trap}`,
        "[include]",
        `\tpath = ${traps.path}/included`,
        '[alias "ls-files"]',
        `\tcommand = !${trap}`,
        "[extensions]",
        "\tpartialClone = origin",
        '[remote "origin"]',
        `\turl = ext::${trap}`,
        "\tpromisor = true",
        "",
      ].join("\n"),
      ".git/hooks/post-index-change": script(traps),
      ".git/hooks/fsmonitor-watchman": script(traps),
    },
    0o755,
  );
  const before = everything(folder);
  const checkout = await snapshotFolder(folder.path, store, signal);
  for await (const { path, bytes } of checkout.files()) expect(bytes.includes(13), path).toBe(false);
  expect(existsSync(join(traps.path, "ran"))).toBe(false);
  expect(everything(folder)).toEqual(before);
  expect(checkout.paths).toEqual([".gitattributes", "a.txt", "b.py", "new.txt"]);
  expect(Buffer.from((await checkout.read("a.txt")) ?? []).toString()).toBe("$Id$\nchanged\n");
});

test("lets no attribute change a byte on the way in", async () => {
  await using store = await openObjectStore(signal);
  using folder = temporaryFolder();
  const files = {
    ".gitattributes": [
      "*.crlf text eol=crlf",
      "*.lf text eol=lf",
      "*.id ident",
      "*.subst export-subst",
      "*.hidden export-ignore",
      "*.u16 working-tree-encoding=UTF-16",
      "",
    ].join("\n"),
    "a.crlf": "lf only\nand crlf\r\n",
    "a.lf": "crlf\r\nlf\n",
    "a.id": "$Id$ $Id: 0123$\n",
    "a.subst": "$Format:%H$\n",
    "a.hidden": "still here\n",
    "a.u16": Buffer.from("\ufeffwide\n", "utf16le"),
    ".git/info/attributes": "* text eol=crlf\n",
  };
  folder.git("init", "--quiet");
  folder.write(files);
  const checkout = await snapshotFolder(folder.path, store, signal);
  for (const [path, content] of Object.entries(files)) {
    if (path.startsWith(".git/")) continue;
    expect(Buffer.from((await checkout.read(path)) ?? []).equals(Buffer.from(content)), path).toBe(true);
  }
});

test("keeps links as links, wherever they point", async () => {
  await using store = await openObjectStore(signal);
  using folder = temporaryFolder();
  const links = {
    absolute: "/etc/passwd",
    up: "../../../../etc/passwd",
    self: "self",
    gone: "no/such",
    device: "/dev/zero",
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(folder.path, name));
  folder.write({ "sub/ok.txt": "ok" });
  symlinkSync(".", join(folder.path, "sub/loop"));
  const checkout = await snapshotFolder(folder.path, store, signal);
  const seen: Record<string, string> = {};
  for await (const { path, kind, bytes } of checkout.files()) seen[path] = `${kind} ${Buffer.from(bytes).toString()}`;
  expect(seen).toEqual({
    ...Object.fromEntries(Object.entries(links).map(([name, target]) => [name, `symlink ${target}`])),
    "sub/loop": "symlink .",
    "sub/ok.txt": "file ok",
  });
});

test("a .git file that points to somebody else's repository gives names only, and only of files that are here", async () => {
  await using store = await openObjectStore(signal);
  using other = temporaryFolder();
  using folder = temporaryFolder();
  other.write({ "secret.txt": "theirs\n", "shared.log": "theirs\n" });
  other.commit();
  folder.write({ ".git": `gitdir: ${other.path}/.git\n`, ".gitignore": "*.log\n", "shared.log": "ours\n" });
  const before = everything(other);
  const checkout = await snapshotFolder(folder.path, store, signal);
  expect(checkout.paths).toEqual([".gitignore", "shared.log"]);
  expect(Buffer.from((await checkout.read("shared.log")) ?? []).toString()).toBe("ours\n");
  expect(everything(other)).toEqual(before);
});

test("an index whose paths lead out of the folder reads nothing there", async () => {
  await using store = await openObjectStore(signal);
  using folder = temporaryFolder();
  folder.write({ "repository/aa/secret.txt": "x\n", "secret.txt": "not yours\n" });
  const git = (...args: string[]) => folder.git("-C", "repository", ...args);
  git("init", "--quiet");
  git("add", "--all");
  folder.git("-C", "repository", "update-index", "--index-version=2");
  const index = join(folder.path, "repository/.git/index");
  const bytes = readFileSync(index);
  bytes.write("../secret.txt", bytes.indexOf("aa/secret.txt"), "latin1");
  createHash("sha1")
    .update(bytes.subarray(0, -20))
    .digest()
    .copy(bytes, bytes.length - 20);
  folder.write({ "repository/.git/index": bytes });
  rmSync(join(folder.path, "repository/aa"), { recursive: true });
  const taking = snapshotFolder(join(folder.path, "repository"), store, signal);
  await expect(taking.then(({ paths }) => paths)).resolves.toEqual([]);
});
