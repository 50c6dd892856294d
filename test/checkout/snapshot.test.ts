import {
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openObjectStore } from "../../src/checkout/object-store.ts";
import { snapshotLimits } from "../../src/checkout/read-folder.ts";
import { type Checkout, snapshotFolder } from "../../src/checkout/snapshot.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const { signal } = new AbortController();

/** Paths and contents; a link shows as `-> target`, an executable file with a star behind its name. */
async function contents(checkout: Checkout): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for await (const { path, kind, executable, bytes } of checkout.files()) {
    const text = Buffer.from(bytes).toString("utf8");
    files[executable ? `${path}*` : path] = kind === "symlink" ? `-> ${text}` : text;
  }
  return files;
}

test("takes a repository as it stands on disk, not as it is committed", async () => {
  await using store = await openObjectStore(signal);
  using folder = temporaryFolder();
  folder.write({
    ".gitignore": "*.log\nbuild/\n",
    "clean.txt": "clean\n",
    "dirty.txt": "committed\n",
    "gone.txt": "gone\n",
    "gone-dir/a.txt": "gone\n",
    "kept.log": "tracked although ignored\n",
  });
  folder.write({ "run.sh": "#!/bin/sh\n" }, 0o755);
  symlinkSync("/etc/passwd", join(folder.path, "link"));
  folder.git("init", "--quiet");
  folder.git("add", "--all");
  folder.git("add", "--force", "kept.log");
  folder.git("commit", "--quiet", "--message=start");
  folder.write({ "dirty.txt": "dirty\n", "untracked.txt": "new\n", "debug.log": "ignored", "build/out": "ignored" });
  rmSync(join(folder.path, "gone.txt"));
  rmSync(join(folder.path, "gone-dir"), { recursive: true });
  const checkout = await snapshotFolder(folder.path, store, signal);
  expect(await contents(checkout)).toEqual({
    ".gitignore": "*.log\nbuild/\n",
    "clean.txt": "clean\n",
    "dirty.txt": "dirty\n",
    "kept.log": "tracked although ignored\n",
    link: "-> /etc/passwd",
    "run.sh*": "#!/bin/sh\n",
    "untracked.txt": "new\n",
  });
  expect(checkout.notes).toEqual([]);
  expect(checkout.paths).toEqual([...checkout.entries.keys()]);
  expect(Buffer.from((await checkout.read("dirty.txt")) ?? []).toString()).toBe("dirty\n");
  expect(await checkout.read("debug.log")).toBeNull();
});

test("takes a folder without git, without what its .gitignore names", async () => {
  await using store = await openObjectStore(signal);
  using folder = temporaryFolder();
  folder.write({
    ".gitignore": "*.tmp\n",
    "a.txt": "a",
    "sub/.gitignore": "b.txt\n",
    "sub/b.txt": "b",
    "sub/c.tmp": "c",
  });
  const checkout = await snapshotFolder(folder.path, store, signal);
  expect(checkout.paths).toEqual([".gitignore", "a.txt", "sub/.gitignore"]);
});

test("takes an empty folder", async () => {
  await using store = await openObjectStore(signal);
  using folder = temporaryFolder();
  const checkout = await snapshotFolder(folder.path, store, signal);
  expect(checkout.paths).toEqual([]);
  expect(checkout.tree).toBe("4b825dc642cb6eb9a060e54bf8d69288fbee4904");
});

test("takes a subfolder alone, under the rules of the repository above it", async () => {
  await using store = await openObjectStore(signal);
  using folder = temporaryFolder();
  folder.write({
    ".gitignore": "*.log\n/packages/a/dist\n",
    "top.txt": "t",
    "packages/a/x.txt": "x",
    "packages/b/y.txt": "y",
  });
  folder.commit();
  folder.write({ ".git/info/exclude": "secret\n" });
  folder.write({
    "packages/a/new.txt": "n",
    "packages/a/new.log": "l",
    "packages/a/dist/o": "o",
    "packages/a/secret": "s",
  });
  const checkout = await snapshotFolder(join(folder.path, "packages/a"), store, signal);
  expect(checkout.paths).toEqual(["new.txt", "x.txt"]);
});

test("takes a folder that the repository above it ignores", async () => {
  await using store = await openObjectStore(signal);
  using folder = temporaryFolder();
  folder.write({ ".gitignore": "tmp/\n", "a.txt": "a" });
  folder.commit();
  folder.write({ "tmp/demo/x.txt": "x", "tmp/demo/.gitignore": "*.log\n", "tmp/demo/y.log": "y" });
  const checkout = await snapshotFolder(join(folder.path, "tmp/demo"), store, signal);
  expect(checkout.paths).toEqual([".gitignore", "x.txt"]);
});

test("reads a file that git was told to take for unchanged", async () => {
  await using store = await openObjectStore(signal);
  using folder = temporaryFolder();
  folder.write({ "a.txt": "old\n", "b.txt": "old\n" });
  folder.commit();
  folder.git("update-index", "--assume-unchanged", "a.txt");
  folder.git("update-index", "--skip-worktree", "b.txt");
  folder.write({ "a.txt": "new\n", "b.txt": "new\n" });
  const checkout = await snapshotFolder(folder.path, store, signal);
  expect(await contents(checkout)).toEqual({ "a.txt": "new\n", "b.txt": "new\n" });
});

test.each(["--sparse-index", "--no-sparse-index"])("takes what a sparse checkout with %s has on disk", async (form) => {
  await using store = await openObjectStore(signal);
  using folder = temporaryFolder();
  folder.write({ "a/x.txt": "x", "b/y.txt": "y", "c/z.txt": "z", "top.txt": "t" });
  folder.commit();
  folder.git("sparse-checkout", "init", "--cone", form);
  folder.git("sparse-checkout", "set", "a");
  folder.write({ "b/stray.txt": "s" });
  const checkout = await snapshotFolder(folder.path, store, signal);
  expect(checkout.paths).toEqual(["a/x.txt", "b/stray.txt", "top.txt"]);
});

test.each([
  ["a split index", ["update-index", "--split-index"]],
  ["an index with an untracked cache", ["update-index", "--force-untracked-cache"]],
  ["an index of version 4", ["update-index", "--index-version=4"]],
])("reads %s", async (_, command) => {
  await using store = await openObjectStore(signal);
  using folder = temporaryFolder();
  folder.write({ ".gitignore": "*.log\n", "a.log": "a", "b.txt": "b" });
  folder.git("init", "--quiet");
  folder.git("add", "--all", "--force");
  folder.git("commit", "--quiet", "--message=start");
  folder.git(...command);
  folder.git("status");
  const checkout = await snapshotFolder(folder.path, store, signal);
  expect(checkout.paths).toEqual([".gitignore", "a.log", "b.txt"]);
});

test("reads a repository that uses SHA-256", async () => {
  await using store = await openObjectStore(signal);
  using folder = temporaryFolder();
  folder.write({ ".gitignore": "*.log\n", "a.log": "a" });
  folder.git("init", "--quiet", "--object-format=sha256");
  folder.git("add", "--all", "--force");
  const checkout = await snapshotFolder(folder.path, store, signal);
  expect(checkout.paths).toEqual([".gitignore", "a.log"]);
});

test("takes a conflicted file once, with its markers", async () => {
  await using store = await openObjectStore(signal);
  using folder = temporaryFolder();
  folder.write({ "a.txt": "base\n" });
  folder.commit();
  folder.git("checkout", "--quiet", "-b", "other");
  folder.write({ "a.txt": "other\n" });
  folder.git("commit", "--quiet", "--all", "--message=other");
  folder.git("checkout", "--quiet", "main");
  folder.write({ "a.txt": "main\n" });
  folder.git("commit", "--quiet", "--all", "--message=main");
  expect(() => folder.git("merge", "other")).toThrow();
  const checkout = await snapshotFolder(folder.path, store, signal);
  expect(checkout.paths).toEqual(["a.txt"]);
  expect((await contents(checkout))["a.txt"]).toContain("<<<<<<<");
});

test("takes a linked work tree with its own index", async () => {
  await using store = await openObjectStore(signal);
  using folder = temporaryFolder();
  folder.write({ "main/.gitignore": "*.log\n", "main/a.txt": "a\n" });
  const git = (...args: string[]) => folder.git("-C", "main", ...args);
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "--message=start");
  git("worktree", "add", "--quiet", "../linked");
  folder.write({
    "linked/b.log": "b\n",
    "main/.git/info/exclude": "c.txt\n",
    "linked/c.txt": "c\n",
    "linked/d.txt": "d\n",
  });
  folder.git("-C", "linked", "add", "--force", "b.log");
  const checkout = await snapshotFolder(join(folder.path, "linked"), store, signal);
  expect(checkout.paths).toEqual([".gitignore", "a.txt", "b.log", "d.txt"]);
});

test("leaves submodules and nested repositories out and says so", async () => {
  await using store = await openObjectStore(signal);
  using folder = temporaryFolder();
  folder.write({ "library/l.txt": "l\n", "top/t.txt": "t\n" });
  for (const name of ["library", "top"]) {
    folder.git("-C", name, "init", "--quiet");
    folder.git("-C", name, "add", "--all");
    folder.git("-C", name, "commit", "--quiet", "--message=start");
  }
  folder.git(
    "-C",
    "top",
    "-c",
    "protocol.file.allow=always",
    "submodule",
    "--quiet",
    "add",
    "../library",
    "vendor/library",
  );
  folder.git("clone", "--quiet", "library", "top/copy");
  folder.git("init", "--quiet", "top/empty");
  const checkout = await snapshotFolder(join(folder.path, "top"), store, signal);
  expect(checkout.paths).toEqual([".gitmodules", "t.txt"]);
  expect(checkout.notes).toEqual([
    'left out, submodules: "vendor/library"',
    'left out, nested git repositories: "copy", "empty"',
  ]);
  const submodule = await snapshotFolder(join(folder.path, "top/vendor/library"), store, signal);
  expect(submodule.paths).toEqual(["l.txt"]);
});

test("round-trips hard names", async () => {
  await using store = await openObjectStore(signal);
  using folder = temporaryFolder();
  const names = [
    "-rf",
    "a\nb",
    "ü/é.py",
    "u\u0308.py",
    "A.txt",
    "a.txt",
    ' "q"\\',
    "$(touch x)",
    "x".repeat(255),
    ":(top)y",
    "*",
  ];
  const deep = `${"d/".repeat(300)}leaf`;
  folder.write(Object.fromEntries([...names, deep].map((name) => [name, `in ${name}`])));
  folder.git("init", "--quiet");
  folder.git("add", "--", "-rf", "ü");
  const checkout = await snapshotFolder(folder.path, store, signal);
  expect(await contents(checkout)).toEqual(Object.fromEntries([...names, deep].map((name) => [name, `in ${name}`])));
});

test("leaves out names that are not UTF-8 or that git refuses, and says so", async () => {
  await using store = await openObjectStore(signal);
  using folder = temporaryFolder();
  folder.write({
    "ok.txt": "ok",
    "git~1/config": "x",
    ".GIT/config": "x",
    "sub/.git./hooks/x": "x",
    ".g\u200cit/x": "x",
  });
  symlinkSync("ok.txt", join(folder.path, ".gitmodules"));
  writeFileSync(Buffer.concat([Buffer.from(`${folder.path}/caf`), Buffer.from([0xe9])]), "x");
  const checkout = await snapshotFolder(folder.path, store, signal);
  expect(checkout.paths).toEqual(["ok.txt"]);
  expect(checkout.notes).toEqual([
    'left out, names that are not UTF-8: "caf\\\\xe9"',
    'left out, names that git refuses: ".GIT/config", ".gitmodules", ".g\\u{200c}it/x", "git~1/config", "sub/.git./hooks/x"',
  ]);
});

test("leaves out what is no file any more, without waiting for it", async () => {
  await using store = await openObjectStore(signal);
  using folder = temporaryFolder();
  folder.write({ "fifo.txt": "x", "became-dir": "x", "ok.txt": "ok" });
  folder.commit();
  rmSync(join(folder.path, "fifo.txt"));
  folder.fifo("fifo.txt");
  rmSync(join(folder.path, "became-dir"));
  folder.write({ "became-dir/new.txt": "n" });
  const checkout = await snapshotFolder(folder.path, store, signal);
  expect(checkout.paths).toEqual(["became-dir/new.txt", "ok.txt"]);
  expect(checkout.notes).toEqual(['left out, sockets, FIFOs and devices: "fifo.txt"']);
});

test("never reads through a link that took the place of a folder", async () => {
  await using store = await openObjectStore(signal);
  using outside = temporaryFolder();
  using folder = temporaryFolder();
  outside.write({ "deep/secret.txt": "not yours" });
  folder.write({ "dir/deep/secret.txt": "mine", "ok.txt": "ok" });
  folder.commit();
  rmSync(join(folder.path, "dir"), { recursive: true });
  symlinkSync(outside.path, join(folder.path, "dir"));
  const checkout = await snapshotFolder(folder.path, store, signal);
  expect(await contents(checkout)).toEqual({ dir: `-> ${outside.path}`, "ok.txt": "ok" });
});

test("does not mind another git at work", async () => {
  await using store = await openObjectStore(signal);
  using folder = temporaryFolder();
  folder.write({ "a.txt": "a\n" });
  folder.commit();
  folder.write({ ".git/index.lock": "" });
  const checkout = await snapshotFolder(folder.path, store, signal);
  expect(checkout.paths).toEqual(["a.txt"]);
});

test("names a file or folder that may not be read", async () => {
  using folder = temporaryFolder();
  chmodSync(folder.path, 0o755);
  folder.write({ "sub/secret.txt": "x", "ok.txt": "x" });
  const take = async () => {
    await using store = await openObjectStore(signal);
    return await snapshotFolder(folder.path, store, signal);
  };
  await withoutAccess(join(folder.path, "sub/secret.txt"), async () => {
    const message = `cannot read "${folder.path}/sub/secret.txt": permission denied`;
    await expect(take()).rejects.toMatchObject({ code: "usage", message });
  });
  await withoutAccess(join(folder.path, "sub"), async () => {
    await expect(take()).rejects.toMatchObject({
      code: "usage",
      message: /cannot read the folder sub\/: permission denied/,
    });
  });
});

test("says which limit a folder is over", async () => {
  await using store = await openObjectStore(signal);
  using folder = temporaryFolder();
  folder.write({ "a.txt": "aaaa", "b.txt": "bbbb" });
  const take = (limits: Partial<typeof snapshotLimits>) =>
    snapshotFolder(folder.path, store, signal, { ...snapshotLimits, ...limits });
  await expect(take({ files: 1 })).rejects.toMatchObject({ code: "usage", message: /more than 1 files/ });
  await expect(take({ totalBytes: 5 })).rejects.toMatchObject({ code: "usage", message: /of files/ });
  await expect(take({ fileBytes: 3 })).rejects.toMatchObject({ code: "usage", message: /"a.txt", which is larger/ });
  await expect(take({ files: 2, totalBytes: 8, fileBytes: 4 })).resolves.toBeDefined();
  writeFileSync(join(folder.path, "sparse"), "");
  truncateSync(join(folder.path, "sparse"), 2 ** 40);
  await expect(take({})).rejects.toThrow('holds "sparse", which is larger than 100 MiB');
});

test("refuses what is no folder of files", async () => {
  await using store = await openObjectStore(signal);
  using folder = temporaryFolder();
  folder.write({ "a.txt": "a" });
  folder.commit();
  mkdirSync(join(folder.path, "bare"));
  folder.git("init", "--quiet", "--bare", "bare");
  for (const name of ["missing", "a.txt", ".git", ".git/refs", "bare"]) {
    await expect(snapshotFolder(join(folder.path, name), store, signal)).rejects.toMatchObject({ code: "usage" });
  }
});

test("names a folder whose index is broken", async () => {
  await using store = await openObjectStore(signal);
  using folder = temporaryFolder();
  folder.write({ "a.txt": "a" });
  folder.commit();
  folder.write({ ".git/index": "DIRC nonsense" });
  const taking = snapshotFolder(folder.path, store, signal);
  await expect(taking).rejects.toMatchObject({ code: "usage", message: /^cannot list the files of .*: git ls-files/ });
});

test("takes a folder whose .git is broken for one without git", async () => {
  await using store = await openObjectStore(signal);
  using folder = temporaryFolder();
  folder.write({ ".git": "gitdir: /nowhere/at/all\n", "a.txt": "a" });
  expect((await snapshotFolder(folder.path, store, signal)).paths).toEqual(["a.txt"]);
  rmSync(join(folder.path, ".git"));
  folder.fifo(".git");
  expect((await snapshotFolder(folder.path, store, signal)).paths).toEqual(["a.txt"]);
});

test("stops when aborted", async () => {
  await using store = await openObjectStore(signal);
  using folder = temporaryFolder();
  folder.write({ "a.txt": "a" });
  const reason = new Error("stopped by a person");
  await expect(snapshotFolder(folder.path, store, AbortSignal.abort(reason))).rejects.toBe(reason);
});

test("a snapshot of what a snapshot gave is the same tree, whatever the bytes", async () => {
  await using store = await openObjectStore(signal);
  using folder = temporaryFolder();
  let state = 42;
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
  for (let index = 0; index < 300; index++) {
    const name = `d${random(9)}/e${random(9)}/${random(1_000_000)}.${["py", "txt", "sh"][random(3)]}`;
    const bytes = Uint8Array.from(
      { length: random(2_000) },
      () => ([10, 13, 36, 0][random(4)] ?? 0) + random(2) * random(200),
    );
    folder.write({ [name]: bytes }, random(2) === 0 ? 0o755 : 0o644);
  }
  const checkout = await snapshotFolder(folder.path, store, signal);
  using copy = temporaryFolder();
  for await (const { path, executable, bytes } of checkout.files()) {
    copy.write({ [path]: bytes }, executable ? 0o755 : 0o644);
    expect(readFileSync(join(folder.path, path)).equals(bytes)).toBe(true);
  }
  const again = await snapshotFolder(copy.path, store, signal);
  expect(again.tree).toBe(checkout.tree);
  renameSync(join(copy.path, again.paths[0] ?? ""), join(copy.path, "elsewhere"));
  expect((await snapshotFolder(copy.path, store, signal)).tree).not.toBe(checkout.tree);
});

/** Runs `action` as somebody who may not read `path`; root may read everything, so root becomes nobody meanwhile. */
async function withoutAccess(path: string, action: () => Promise<void>): Promise<void> {
  const isRoot = process.getuid?.() === 0;
  chmodSync(path, 0);
  if (isRoot) process.seteuid?.(65_534);
  try {
    await action();
  } finally {
    if (isRoot) process.seteuid?.(0);
    chmodSync(path, 0o700);
  }
}
