import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { followProgress } from "../../sandbox/setup/progress.ts";

const lines = (...events: object[]) =>
  Readable.from(events.map((event) => Buffer.from(`${JSON.stringify(event)}\r\n`)));

test("reads the engine's report to its end and tells of each sign of life", async () => {
  let signs = 0;
  await followProgress(lines({ stream: "Step 1" }, { status: "Pulling", id: "a" }), "build", () => signs++);
  expect(signs).toBe(2);
});

test("turns the engine's error into ours, with the last lines of what was built", async () => {
  const stream = lines({ stream: "Step 1\n" }, { stream: "E: no space\n" }, { error: "returned code 100" });
  await expect(followProgress(stream, "build x")).rejects.toThrow("build x: returned code 100\nStep 1\nE: no space");
});

test("does not take a connection that breaks for the end", async () => {
  const stream = new Readable({ read() {} });
  stream.push(`${JSON.stringify({ stream: "Step 1" })}\n`);
  setTimeout(() => stream.destroy(new Error("socket hang up")), 20);
  await expect(followProgress(stream, "build x")).rejects.toThrow("build x: socket hang up");
});
