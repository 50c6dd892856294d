import { expect, test } from "vitest";
import type { WorkspaceFile } from "../../src/sandbox/sandbox.ts";
import { answering, file, first, never, scriptedSession } from "./scripted-session.ts";

test("puts files as the protocol's page shows", async () => {
  const [sandbox, supervisor] = scriptedSession((request, s) => {
    if (request.header["verb"] === "put-end") answering(["put.done"])(request, s);
  });
  await sandbox.put([file], { reset: true }, never);
  expect(supervisor.headers).toEqual([first("put.request"), first("put-file.request"), first("put-end.request")]);
  expect(Buffer.from(supervisor.requests[1]?.binary ?? [])).toEqual(file.bytes);
});

test("sends a large file in pieces, links by their target, and the executable bit", async () => {
  const [sandbox, supervisor] = scriptedSession((request, s) => {
    if (request.header["verb"] === "put-end") answering(["put.done"])(request, s);
  });
  const bytes = Buffer.alloc(600_000, "0123456789");
  const link: WorkspaceFile = { path: "l", kind: "symlink", executable: false, bytes: Buffer.from("src/a.py") };
  await sandbox.put([{ ...file, bytes }, link, { ...file, executable: true }], { reset: false }, never);
  const sent = supervisor.requests.slice(1, -1);
  expect(sent.map(({ header }) => [header["path"], header["mode"], header["more"]])).toEqual([
    ["src/a.py", "file", true],
    ["src/a.py", "file", true],
    ["src/a.py", "file", undefined],
    ["l", "symlink", undefined],
    ["src/a.py", "executable", undefined],
  ]);
  expect(Buffer.concat(sent.slice(0, 3).map(({ binary }) => binary)).equals(bytes)).toBe(true);
});

test("finishes an upload whose source fails, and stays usable", async () => {
  const [sandbox, supervisor] = scriptedSession((request, s) => {
    if (request.header["verb"] === "put-end") answering(["put.done"])(request, s);
    if (request.header["verb"] === "sweep") answering(["sweep.done"])(request, s);
  });
  const source = async function* () {
    yield file;
    throw new Error("the checkout is gone");
  };
  await expect(sandbox.put(source(), { reset: true }, never)).rejects.toThrow("the checkout is gone");
  await sandbox.sweep(never);
  expect(supervisor.headers.map((header) => header["verb"])).toEqual(["put", "put-file", "put-end", "sweep"]);
});

test("finishes an upload that is aborted half-way, and stays usable", async () => {
  const [sandbox, supervisor] = scriptedSession((request, s) => {
    if (request.header["verb"] === "put-end") answering(["put.done"])(request, s);
    if (request.header["verb"] === "sweep") answering(["sweep.done"])(request, s);
  });
  const abort = new AbortController();
  const source = function* () {
    yield file;
    abort.abort();
    yield file;
    throw new Error("must not be asked for more");
  };
  await expect(sandbox.put(source(), { reset: true }, abort.signal)).rejects.toThrow(/abort/i);
  await sandbox.sweep(never);
  expect(supervisor.headers.map((header) => header["verb"])).toEqual(["put", "put-file", "put-end", "sweep"]);
});

test("waits for a slow supervisor instead of holding an upload in memory", async () => {
  let taken = 0;
  const [sandbox, supervisor] = scriptedSession((request, s) => {
    taken += request.binary.length;
    if (request.header["verb"] === "put-end") answering(["put.done"])(request, s);
  });
  let made = 0;
  let mostAhead = 0;
  const source = async function* () {
    for (let index = 0; index < 200; index += 1) {
      made += 100_000;
      mostAhead = Math.max(mostAhead, made - taken);
      yield { ...file, bytes: Buffer.alloc(100_000) };
    }
  };
  await sandbox.put(source(), { reset: true }, never);
  expect(supervisor.requests.length).toBe(202);
  expect(mostAhead).toBeLessThan(1_000_000);
});
