import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openObjectStore } from "../../src/checkout/object-store.ts";
import type { FileChange, Patch } from "../../src/checkout/patch.ts";
import { snapshotFolder } from "../../src/checkout/snapshot.ts";
import { writePatchToFolder } from "../../src/checkout/write-patch-to-folder.ts";
import { type TemporaryFolder, temporaryFolder } from "./temporary-folder.ts";

const { signal } = new AbortController();

function write(path: string, content: string, executable = false): FileChange {
  return { kind: "write", path, executable, bytes: Buffer.from(content) };
}

/** Snapshots the folder, lets `meanwhile` happen, then writes the patch. */
async function writeInto(
  folder: TemporaryFolder,
  patch: Patch,
  meanwhile: () => void = () => undefined,
): Promise<void> {
  await using store = await openObjectStore(signal);
  const checkout = await snapshotFolder(folder.path, store, signal);
  meanwhile();
  await writePatchToFolder(folder.path, checkout, patch, signal);
}

/** Every file of the folder with its content; links as they are. */
function filesOf(folder: TemporaryFolder): Record<string, string> {
  const names = readdirSync(folder.path, { recursive: true, encoding: "utf8" }).sort();
  const files = names.filter((name) => !lstatSync(join(folder.path, name)).isDirectory());
  const content = (path: string) =>
    lstatSync(path).isSymbolicLink() ? readlinkSync(path) : readFileSync(path, "utf8");
  return Object.fromEntries(files.map((name) => [name, content(join(folder.path, name))]));
}

function modeOf(folder: TemporaryFolder, name: string): number {
  return lstatSync(join(folder.path, name)).mode & 0o777;
}

test("writes, creates and deletes files, and leaves nothing else behind", async () => {
  using folder = temporaryFolder();
  folder.write({ "a.txt": "old\n", "gone/deep/b.txt": "b\n", "kept.txt": "k\n" });
  await writeInto(folder, [
    write("a.txt", "new\r\n"),
    { kind: "delete", path: "gone/deep/b.txt" },
    write("x/y/z.sh", "z\n", true),
  ]);
  expect(filesOf(folder)).toEqual({ "a.txt": "new\r\n", "kept.txt": "k\n", "x/y/z.sh": "z\n" });
  expect(existsSync(join(folder.path, "gone"))).toBe(false);
  expect(modeOf(folder, "x/y/z.sh") & 0o100).toBe(0o100);
});

test("keeps permissions, and changes only the executable bits when asked", async () => {
  using folder = temporaryFolder();
  folder.write({ "private.txt": "old\n", "run.sh": "old\n", "readonly.txt": "old\n", "plain.txt": "old\n" });
  chmodSync(join(folder.path, "private.txt"), 0o600);
  chmodSync(join(folder.path, "run.sh"), 0o750);
  chmodSync(join(folder.path, "readonly.txt"), 0o444);
  const patch = [
    write("plain.txt", "new\n"),
    write("private.txt", "new\n", true),
    write("readonly.txt", "new\n"),
    write("run.sh", "new\n"),
  ];
  await writeInto(folder, patch);
  expect(["plain.txt", "private.txt", "readonly.txt", "run.sh"].map((name) => modeOf(folder, name))).toEqual([
    0o644, 0o700, 0o444, 0o640,
  ]);
});

test("keeps a line-end conversion out of the way", async () => {
  using folder = temporaryFolder();
  folder.write({ ".gitattributes": "* text eol=lf\n", "dos.txt": "a\r\n" });
  folder.commit();
  await writeInto(folder, [write("dos.txt", "b\r\n")]);
  expect(readFileSync(join(folder.path, "dos.txt"), "utf8")).toBe("b\r\n");
});

const refusals: [string, Patch, (folder: TemporaryFolder, outside: TemporaryFolder) => void, RegExp][] = [
  [
    "changed since",
    [write("a.txt", "new")],
    (folder) => folder.write({ "a.txt": "edited" }),
    /"a.txt" changed since it was read/,
  ],
  [
    "was deleted since",
    [write("a.txt", "new")],
    (folder) => rmSync(join(folder.path, "a.txt")),
    /"a.txt" changed since/,
  ],
  [
    "became executable since",
    [write("a.txt", "new")],
    (folder) => chmodSync(join(folder.path, "a.txt"), 0o755),
    /"a.txt" changed since/,
  ],
  ["appeared since", [write("n.txt", "new")], (folder) => folder.write({ "n.txt": "theirs" }), /"n.txt" is in the way/],
  [
    "became a folder",
    [write("n.txt", "new")],
    (folder) => mkdirSync(join(folder.path, "n.txt")),
    /"n.txt" is in the way/,
  ],
  [
    "became a link",
    [write("a.txt", "new")],
    (folder, outside) => {
      rmSync(join(folder.path, "a.txt"));
      symlinkSync(join(outside.path, "victim"), join(folder.path, "a.txt"));
    },
    /"a.txt" changed since/,
  ],
  [
    "lies behind a link now",
    [write("dir/b.txt", "new")],
    (folder, outside) => {
      rmSync(join(folder.path, "dir"), { recursive: true });
      symlinkSync(outside.path, join(folder.path, "dir"));
    },
    /a folder on the way to "dir\/b.txt" is none any more/,
  ],
  [
    "would be made behind a link",
    [write("dir/new/c.txt", "new")],
    (folder, outside) => {
      rmSync(join(folder.path, "dir"), { recursive: true });
      symlinkSync(outside.path, join(folder.path, "dir"));
    },
    /a folder on the way to "dir\/new\/c.txt" is none any more/,
  ],
  ["leads out of the folder", [write("../out.txt", "new")], () => undefined, /is no path inside the folder/],
  ["is git's own", [write(".git/config", "new")], () => undefined, /is no path inside the folder/],
  ["is not there to delete", [{ kind: "delete", path: "nothing.txt" }], () => undefined, /"nothing.txt" is in the way/],
];

test.each(refusals)("writes nothing at all when a file %s", async (_, patch, meanwhile, message) => {
  using folder = temporaryFolder();
  using outside = temporaryFolder();
  outside.write({ victim: "untouched", "b.txt": "b\n" });
  folder.write({ "a.txt": "old\n", "dir/b.txt": "b\n", "other.txt": "old\n" });
  let before: Record<string, string> = {};
  const writing = writeInto(folder, [...patch, write("other.txt", "new\n")], () => {
    meanwhile(folder, outside);
    before = filesOf(folder);
  });
  await expect(writing).rejects.toMatchObject({ code: "usage", message });
  expect(filesOf(folder)).toEqual(before);
  expect(filesOf(outside)).toEqual({ victim: "untouched", "b.txt": "b\n" });
});

test("puts back what it wrote when a later file fails", async () => {
  await using store = await openObjectStore(signal);
  using folder = temporaryFolder();
  folder.write({ "a.txt": "old\n", "b.txt": "old\n", "z.txt": "old\n" });
  const checkout = await snapshotFolder(folder.path, store, signal);
  const before = filesOf(folder);
  const trap = {
    ...write("z.txt", "new\n"),
    get bytes(): Uint8Array {
      rmSync(join(folder.path, "z.txt"));
      mkdirSync(join(folder.path, "z.txt"));
      return Buffer.from("new\n");
    },
  };
  const patch = [write("a.txt", "new\n"), { kind: "delete" as const, path: "b.txt" }, write("n/new.txt", "n\n"), trap];
  await expect(writePatchToFolder(folder.path, checkout, patch as Patch, signal)).rejects.toMatchObject({
    code: "usage",
  });
  rmSync(join(folder.path, "z.txt"), { recursive: true });
  const { "z.txt": _, ...rest } = before;
  expect(filesOf(folder)).toEqual(rest);
  expect(existsSync(join(folder.path, "n"))).toBe(false);
});

test("writes nothing when aborted", async () => {
  await using store = await openObjectStore(signal);
  using folder = temporaryFolder();
  folder.write({ "a.txt": "old\n" });
  const checkout = await snapshotFolder(folder.path, store, signal);
  const reason = new Error("stopped by a person");
  const aborted = AbortSignal.abort(reason);
  await expect(writePatchToFolder(folder.path, checkout, [write("a.txt", "new\n")], aborted)).rejects.toBe(reason);
  expect(filesOf(folder)).toEqual({ "a.txt": "old\n" });
});
