import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { encodeLabels, ownerOf } from "../../src/sandbox/container-labels.ts";
import { currentProcess, isGone } from "../../src/sandbox/process-identity.ts";

test("knows that its own process lives", async () => {
  const here = await currentProcess();
  expect(here.pid).toBe(process.pid);
  expect(await isGone(here, here)).toBe(false);
});

test("knows a process that has ended", async () => {
  const here = await currentProcess();
  const child = spawn("true");
  await once(child, "exit");
  expect(await isGone({ ...here, pid: child.pid ?? 0 }, here)).toBe(true);
});

test("knows a process that was killed but not yet waited for", async () => {
  const here = await currentProcess();
  // The shell starts a child and becomes a program that never waits for it.
  const parent = spawn("sh", ["-c", "sleep 0 & echo $!; exec sleep 30"]);
  try {
    const [pid] = await once(parent.stdout, "data");
    const zombie = { ...here, pid: Number(pid), started: "1" };
    await expect.poll(() => isGone(zombie, here)).toBe(true);
  } finally {
    parent.kill("SIGKILL");
  }
});

test("is not taken in by a pid that is used again", async () => {
  const here = await currentProcess();
  expect(await isGone({ ...here, started: "1" }, here)).toBe(true);
});

test("never calls a process of another machine, boot or pid namespace gone", async () => {
  const here = await currentProcess();
  expect(await isGone({ ...here, pid: 2 ** 22 + 1, place: "elsewhere" }, here)).toBe(false);
});

test("reads from labels the owner that it wrote", async () => {
  const owner = await currentProcess();
  expect(ownerOf(encodeLabels({ instance: "i", run: "r", role: "run", owner }))).toEqual(owner);
});

test.each([{}, { "dev.autolith.owner.pid": "x" }, { "dev.autolith.owner.pid": "-1" }])(
  "reads no owner from the labels %j",
  (labels) => {
    const rest = { "dev.autolith.owner.started": "", "dev.autolith.owner.place": "" };
    expect(ownerOf({ ...rest, ...labels })).toBeNull();
  },
);
