import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SupervisorProcess } from "./supervisor-process.ts";

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
