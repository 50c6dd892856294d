import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ObjectStore, openObjectStore } from "../../src/checkout/object-store.ts";
import { type Extraction, extractPatch, workspaceTreeHash } from "../../src/checkout/patch-from-workspace.ts";
import { type Checkout, snapshotFolder } from "../../src/checkout/snapshot.ts";
import { file, workspaceDouble } from "../doubles/workspace-double.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const { signal } = new AbortController();
let store: ObjectStore;
let checkout: Checkout;

beforeAll(async () => {
  store = await openObjectStore(signal);
  using folder = temporaryFolder();
  const many = Array.from({ length: 30 }, (_, index) => [`many/${index}.txt`, `${index}\n`]);
  folder.write({ "a.py": "a = 1\n", "b.py": "b = 1\n", "dir/c.py": "c = 1\n", ...Object.fromEntries(many) });
  symlinkSync("a.py", join(folder.path, "link"));
  checkout = await snapshotFolder(folder.path, store, signal);
});

afterAll(() => store[Symbol.asyncDispose]());

function rules(extraction: Extraction): string[] {
  return extraction.kind === "patch" ? [] : extraction.findings.map((finding) => `${finding.rule} ${finding.file}`);
}

test("an untouched workspace gives an empty patch", async () => {
  const { session } = await workspaceDouble(checkout);
  expect(await extractPatch(session, checkout, [], signal)).toEqual({ kind: "patch", patch: [] });
});

test("takes changed, deleted and created files, sorted by path, and nothing else", async () => {
  const { session, files } = await workspaceDouble(checkout);
  files.set("b.py", file("b.py", "b = 2\n"));
  files.set("a.py", file("a.py", "a = 1\n", true));
  files.delete("dir/c.py");
  files.set("z/new.py", file("z/new.py", "new\n"));
  files.set("__pycache__/b.pyc", file("__pycache__/b.pyc", "compiled"));
  const created = ["z/new.py", "never-written.py", "b.py"];
  expect(await extractPatch(session, checkout, created, signal)).toEqual({
    kind: "patch",
    patch: [
      { kind: "write", path: "a.py", executable: true, bytes: Buffer.from("a = 1\n") },
      { kind: "write", path: "b.py", executable: false, bytes: Buffer.from("b = 2\n") },
      { kind: "delete", path: "dir/c.py" },
      { kind: "write", path: "z/new.py", executable: false, bytes: Buffer.from("new\n") },
    ],
  });
});

test("refuses a file that became something else", async () => {
  const { session, files } = await workspaceDouble(checkout);
  files.set("a.py", { path: "a.py", kind: "symlink", executable: false, bytes: Buffer.from("/etc/passwd") });
  files.set("b.py", "other");
  files.delete("link");
  files.set("new.py", { path: "new.py", kind: "symlink", executable: false, bytes: Buffer.from("a.py") });
  const extraction = await extractPatch(session, checkout, ["new.py"], signal);
  expect(rules(extraction)).toEqual(["file-kind a.py", "file-kind b.py", "file-kind link", "file-kind new.py"]);
});

test("refuses more files, lines or bytes than a patch may have", async () => {
  const manyFiles = await workspaceDouble(checkout);
  for (let index = 0; index < 21; index++) manyFiles.files.delete(`many/${index}.txt`);
  expect(rules(await extractPatch(manyFiles.session, checkout, [], signal))).toEqual(["patch-too-large "]);

  const manyLines = await workspaceDouble(checkout);
  manyLines.files.set("a.py", file("a.py", "x\n".repeat(1_000)));
  expect(rules(await extractPatch(manyLines.session, checkout, [], signal))).toEqual(["patch-too-large "]);
  manyLines.files.set("a.py", file("a.py", `a = 1\n${"x\n".repeat(1_000)}`));
  expect(rules(await extractPatch(manyLines.session, checkout, [], signal))).toEqual([]);

  const manyBytes = await workspaceDouble(checkout);
  manyBytes.files.set("a.py", file("a.py", "x".repeat(1024 * 1024 + 1)));
  expect(rules(await extractPatch(manyBytes.session, checkout, [], signal))).toEqual(["patch-too-large a.py"]);
});

test.each(["../out.py", "/etc/x.py", ".git/hooks/pre-commit", "a/./b.py", "x\0y", "sub/.GIT/config", "a//b", "\ud800"])(
  "never asks the sandbox for %j",
  async (path) => {
    const { session, files } = await workspaceDouble(checkout);
    files.set(path, file(path, "x"));
    expect(rules(await extractPatch(session, checkout, [path], signal))).toEqual([`unsafe-path ${path}`]);
  },
);

test("refuses a file that keeps changing under the reader", async () => {
  const double = await workspaceDouble(checkout);
  double.files.set("a.py", file("a.py", "a = 2\n"));
  const session = { ...double.session, stat: double.session.stat, get: async () => null };
  expect(rules(await extractPatch(session, checkout, [], signal))).toEqual(["file-kind a.py"]);
});

test("the hash of the workspace follows content, kind, mode and created files, and nothing else", async () => {
  const { session, files } = await workspaceDouble(checkout);
  const current = (created: string[] = []) => workspaceTreeHash(session, checkout, created, signal);
  const start = await current();
  files.set("stray.txt", file("stray.txt", "x"));
  expect(await current()).toBe(start);
  const seen = new Set([start]);
  const see = async (created: string[] = []) => seen.add(await current(created));
  files.set("a.py", file("a.py", "a = 2\n"));
  await see();
  files.set("a.py", file("a.py", "a = 1\n", true));
  await see();
  files.set("a.py", { path: "a.py", kind: "symlink", executable: false, bytes: Buffer.from("a = 1\n") });
  await see();
  files.delete("a.py");
  await see();
  files.set("a.py", file("a.py", "a = 1\n"));
  await see(["stray.txt"]);
  expect(seen.size).toBe(6);
  expect(await current(["not-there.txt"])).toBe(start);
  files.set("y.txt", file("y.txt", "y"));
  expect(await current(["y.txt", "stray.txt"])).toBe(await current(["stray.txt", "y.txt"]));
});

test("asks about a large checkout in questions that fit into a frame", async () => {
  using folder = temporaryFolder();
  const names = Array.from({ length: 2_500 }, (_, index) => `${"n".repeat(240)}${index}`);
  folder.write(Object.fromEntries(names.map((name) => [name, ""])));
  const large = await snapshotFolder(folder.path, store, signal);
  const { session, stats } = await workspaceDouble(large);
  await workspaceTreeHash(session, large, [], signal);
  expect(stats.reduce((sum, count) => sum + count, 0)).toBe(2_500);
  expect(Math.max(...stats)).toBeLessThanOrEqual(1_000);
});
