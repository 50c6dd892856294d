import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { existsSync, lstatSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { applyPatch } from "../../src/checkout/apply-patch.ts";
import { runGit } from "../../src/checkout/git.ts";
import { type ObjectStore, openObjectStore, type TreeMode } from "../../src/checkout/object-store.ts";
import type { Patch } from "../../src/checkout/patch.ts";
import { type TemporaryFolder, temporaryFolder } from "./temporary-folder.ts";

const { signal } = new AbortController();
const everyByte = Uint8Array.from({ length: 256 }, (_, index) => index);

async function treeOf(
  store: ObjectStore,
  files: Readonly<Record<string, string | Uint8Array>>,
  mode: TreeMode = "100644",
): Promise<string> {
  const names = Object.keys(files).sort();
  const blobs = await store.writeBlobs(
    names.map((name) => Buffer.from(files[name] ?? "")),
    signal,
  );
  return store.writeTree(
    names.map((path, index) => ({ path, mode, blob: blobs[index] ?? "" })),
    signal,
  );
}

test("gives back every byte of what was written, in order", async () => {
  await using store = await openObjectStore(signal);
  const contents = [Buffer.alloc(0), everyByte, Buffer.from("\r\n$Id$\n"), everyByte, Buffer.alloc(3_000_000, "ab")];
  const ids = await store.writeBlobs(contents, signal);
  const back = await Promise.all(ids.map((id) => store.readBlob(id)));
  expect(back.map((bytes, index) => bytes.equals(contents[index] ?? Buffer.from("?")))).toEqual(
    contents.map(() => true),
  );
  expect(ids[1]).toBe(ids[3]);
  expect(ids[0]).toBe("e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
});

test("knows the SHA-256 of blobs that it wrote, and of those that something else wrote", async () => {
  await using store = await openObjectStore(signal);
  const [written = ""] = await store.writeBlobs([Buffer.from("return 1\n")], signal);
  const input = ["return 2\n"];
  const { stdout } = await runGit(store.place, ["hash-object", "-w", "--stdin"], { input }, signal);
  expect(await store.sha256Of(written)).toBe(hash("sha256", "return 1\n", "hex"));
  expect(await store.sha256Of(stdout.toString().trim())).toBe(hash("sha256", "return 2\n", "hex"));
});

test("says which blob is missing and goes on reading", async () => {
  await using store = await openObjectStore(signal);
  const [id = ""] = await store.writeBlobs([Buffer.from("here")], signal);
  const gone = "1".repeat(40);
  const [first, missing, last] = await Promise.allSettled([id, gone, id].map((each) => store.readBlob(each)));
  expect(first).toMatchObject({ status: "fulfilled" });
  expect(missing).toMatchObject({
    reason: { message: `the object store has no blob ${gone}`, code: "infrastructure" },
  });
  expect(last).toMatchObject({ status: "fulfilled" });
});

test("round-trips a tree with hard names and every mode", async () => {
  await using store = await openObjectStore(signal);
  const [blob = ""] = await store.writeBlobs([Buffer.from("x\n")], signal);
  const names = ["-rf", "a\nb", "dir/ü/é.py", 'quo"te\\d', "tab\tname", " lead", "x".repeat(255), "A", "a b/c"];
  const modes: TreeMode[] = ["100644", "100755", "120000"];
  const entries = names.map((path, index) => ({ path, mode: modes[index % 3] ?? "100644", blob }));
  const tree = await store.writeTree(entries, signal);
  const read = await store.readTree(tree, signal);
  const byPath = (a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : 1);
  expect(read.toSorted(byPath)).toEqual(entries.map((entry) => ({ ...entry, size: 2 })).toSorted(byPath));
});

test("is deleted with everything that it made, and only then refuses to read", async () => {
  const store = await openObjectStore(signal);
  const [id = ""] = await store.writeBlobs([Buffer.from("x")], signal);
  await store.readBlob(id);
  const under = store.readBlob(id).catch((error: unknown) => error);
  await store[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
  expect(existsSync(store.directory)).toBe(false);
  await expect(store.readBlob(id)).rejects.toThrow("the object store is closed");
  await under;
});

const before = {
  "changed.txt": "one\ntwo\nthree\n",
  "no-newline.txt": "last line without end",
  "crlf.txt": "a\r\nb\r\n",
  "latin1.txt": Buffer.from("caf\xe9\nth\xe9\n", "latin1"),
  "latin1-gone.txt": Buffer.from("\xff\xfe plain\n", "latin1"),
  "binary.dat": everyByte,
  "deleted.txt": "going\n",
  "deleted.dat": everyByte,
  "mode.sh": "#!/bin/sh\n",
  'dir/ü "q"\n.txt': "odd name\n",
};
const patch: Patch = [
  { kind: "write", path: "changed.txt", executable: false, bytes: Buffer.from("one\n2\nthree\nfour") },
  { kind: "write", path: "no-newline.txt", executable: false, bytes: Buffer.from("last line with end\n") },
  { kind: "write", path: "crlf.txt", executable: false, bytes: Buffer.from("a\r\nB\n") },
  { kind: "write", path: "latin1.txt", executable: false, bytes: Buffer.from("caf\xe9\nth\xe8\n", "latin1") },
  { kind: "delete", path: "latin1-gone.txt" },
  { kind: "write", path: "binary.dat", executable: false, bytes: everyByte.toReversed() },
  { kind: "delete", path: "deleted.txt" },
  { kind: "delete", path: "deleted.dat" },
  { kind: "write", path: "mode.sh", executable: true, bytes: Buffer.from("#!/bin/sh\n") },
  { kind: "write", path: 'dir/ü "q"\n.txt', executable: false, bytes: Buffer.from("odd\n") },
  { kind: "write", path: "new/empty.txt", executable: false, bytes: Buffer.alloc(0) },
  { kind: "write", path: "new/bom.txt", executable: false, bytes: Buffer.from("\ufeffbom\n") },
  { kind: "write", path: "new/run", executable: true, bytes: everyByte },
];

test.each(["a folder without git", "a repository"])(
  "git apply makes the patched bytes of the diff in %s",
  async (kind) => {
    await using store = await openObjectStore(signal);
    using folder = temporaryFolder();
    folder.write(before);
    if (kind === "a repository") folder.commit();
    const tree = await treeOf(store, before);
    const diff = await store.diff(tree, await applyPatch(store, tree, patch, signal), signal);
    applyWithGit(folder, diff);
    for (const change of patch) {
      const path = join(folder.path, change.path);
      if (change.kind === "delete") expect(existsSync(path)).toBe(false);
      else {
        expect(readFileSync(path).equals(change.bytes)).toBe(true);
        expect((lstatSync(path).mode & 0o100) !== 0).toBe(change.executable);
      }
    }
  },
);

test("shows a small change as people know it", async () => {
  await using store = await openObjectStore(signal);
  const a = await treeOf(store, { "src/ü.py": "x = 1\n" });
  const b = await treeOf(store, { "src/ü.py": "x = 2\n" });
  expect(await store.diff(a, b, signal)).toMatchInlineSnapshot(`
    "diff --git a/src/ü.py b/src/ü.py
    index 7d4290a117a4ddcc11daae7ea675841033830c8f..407de3068e7b5950585d5abed9776d104235a85d 100644
    --- a/src/ü.py
    +++ b/src/ü.py
    @@ -1 +1 @@
    -x = 1
    +x = 2
    "
  `);
  expect(await store.diff(a, a, signal)).toBe("");
});

test("lets no attribute of the tree change a diff", async () => {
  await using store = await openObjectStore(signal);
  const attributes = { ".gitattributes": "* binary diff=x\n*.py -text eol=crlf\n" };
  const a = await treeOf(store, { ...attributes, "a.py": "x = 1\n" });
  const b = await treeOf(store, { ...attributes, "a.py": "x = 2\n" });
  expect(await store.diff(a, b, signal)).toContain("-x = 1\n+x = 2\n");
});

test("counts added and removed lines, none for a binary file", async () => {
  await using store = await openObjectStore(signal);
  const a = await treeOf(store, { "a\tb": "1\n2\n3\n", "b.dat": everyByte, same: "s\n" });
  const b = await treeOf(store, { "a\tb": "1\n2\n4\n5\n", "b.dat": everyByte.toReversed(), same: "s\n" });
  expect(await store.numstat(a, b, signal)).toEqual([
    { path: "a\tb", added: 2, removed: 1, binary: false },
    { path: "b.dat", added: 0, removed: 0, binary: true },
  ]);
});

test("a patch may put a folder where a file was", async () => {
  await using store = await openObjectStore(signal);
  const tree = await treeOf(store, { thing: "file\n" });
  const changed = await applyPatch(
    store,
    tree,
    [
      { kind: "write", path: "thing/inside", executable: false, bytes: Buffer.from("x") },
      { kind: "delete", path: "thing" },
    ],
    signal,
  );
  expect((await store.readTree(changed, signal)).map((entry) => entry.path)).toEqual(["thing/inside"]);
});

function applyWithGit(folder: TemporaryFolder, diff: string): void {
  const file = join(folder.path, "the.diff");
  writeFileSync(file, diff);
  const env = { PATH: process.env["PATH"], GIT_CONFIG_GLOBAL: "/dev/null", GIT_CEILING_DIRECTORIES: "/tmp" };
  execFileSync("git", ["apply", "the.diff"], { cwd: folder.path, env, stdio: ["ignore", "pipe", "pipe"] });
}
