import { renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { changedFiles, hunkLines } from "../../src/checkout/changed-files.ts";
import { openObjectStore } from "../../src/checkout/object-store.ts";
import { snapshotFolder } from "../../src/checkout/snapshot.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const { signal } = new AbortController();
const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

test("files that differ are told as GitHub shows them", async () => {
  await using store = await openObjectStore(signal);
  using folder = temporaryFolder();
  folder.write({
    "a.txt": lines(20),
    "old name.txt": lines(30),
    "gone.txt": "first\nsecond\n",
    "turns.txt": "a file\n",
    "bytes.bin": "\0a",
    'odd"näme.txt': "1\n",
  });
  const before = await snapshotFolder(folder.path, store, signal);
  folder.write({
    "a.txt": lines(20).replace("line 10\n", "ten\nand more\n"),
    "new.txt": "diff --git a/x b/x\n",
    "bytes.bin": "\0b",
    'odd"näme.txt': "2\n",
  });
  renameSync(join(folder.path, "old name.txt"), join(folder.path, "new name.txt"));
  folder.write({ "new name.txt": lines(30).replace("line 3\n", "three\n") });
  rmSync(join(folder.path, "gone.txt"));
  rmSync(join(folder.path, "turns.txt"));
  symlinkSync("a.txt", join(folder.path, "turns.txt"));
  const after = await snapshotFolder(folder.path, store, signal);
  const files = await changedFiles(store.place, before.tree, after.tree, signal);
  expect(files.map(({ hunks: _, ...rest }) => rest)).toMatchObject([
    { path: "a.txt", status: "modified", added: 2, removed: 1, previousPath: null },
    { path: "bytes.bin", status: "modified", binary: true },
    { path: "gone.txt", status: "removed", removed: 2 },
    { path: "new name.txt", status: "renamed", previousPath: "old name.txt", added: 1, removed: 1 },
    { path: "new.txt", status: "added", added: 1 },
    { path: 'odd"näme.txt', status: "modified", added: 1, removed: 1 },
    { path: "turns.txt", status: "modified", kind: "symlink" },
  ]);
  const hunksOf = (path: string) => hunkLines(files.find((file) => file.path === path)?.hunks ?? "");
  expect(hunksOf("a.txt").map(({ kind, line }) => `${kind} ${line}`)).toEqual([
    ...[7, 8, 9].map((line) => `context ${line}`),
    ...["removed 10", "added 10", "added 11"],
    ...[12, 13, 14].map((line) => `context ${line}`),
  ]);
  expect(hunksOf("new.txt")).toEqual([{ kind: "added", line: 1, text: "diff --git a/x b/x" }]);
  expect(hunksOf('odd"näme.txt').map(({ text }) => text)).toEqual(["1", "2"]);
  expect(hunksOf("turns.txt")).toEqual([]);
});
