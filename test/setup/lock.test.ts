import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { withLock } from "../../sandbox/setup/lock.mjs";
import { temporaryFolder } from "./temporary-folder.ts";

const quick = { beat: 20, dead: 500, poll: 10 };

test("lets one at a time work, and nothing stays behind", async () => {
  const parent = await temporaryFolder();
  let working = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++working);
    await delay(20);
    working--;
  };
  await Promise.all(Array.from({ length: 8 }, () => withLock(join(parent, "lock"), work, quick)));
  expect(most).toBe(1);
  expect(await readdir(parent)).toEqual([]);
});

test("gives the result of the work, and frees the lock when the work fails", async () => {
  const lock = join(await temporaryFolder(), "deep", "lock");
  await expect(withLock(lock, () => Promise.reject(new Error("broken")), quick)).rejects.toThrow("broken");
  expect(await withLock(lock, async () => "done", quick)).toBe("done");
});

test("takes over from an owner that shows no sign of life, and only one waiter does", async () => {
  const lock = join(await temporaryFolder(), "lock");
  await mkdir(lock);
  await writeFile(join(lock, "dead-owner"), "");
  let working = 0;
  const work = async () => {
    expect(++working).toBe(1);
    await delay(50);
    working--;
  };
  await Promise.all([1, 2, 3].map(() => withLock(lock, work, quick)));
});

test("waits for an owner that lives, however long it works", async () => {
  const lock = join(await temporaryFolder(), "lock");
  const order: string[] = [];
  const slow = withLock(lock, async () => order.push(await delay(1300, "slow")), quick);
  await delay(50);
  await Promise.all([slow, withLock(lock, async () => order.push("waiter"), quick)]);
  expect(order).toEqual(["slow", "waiter"]);
});

test("does not believe the clock: an owner with an old time stamp has its time to show that it lives", async () => {
  const lock = join(await temporaryFolder(), "lock");
  await mkdir(lock);
  await writeFile(join(lock, "owner"), "");
  await utimes(join(lock, "owner"), new Date(0), new Date(0));
  const start = performance.now();
  await withLock(lock, async () => {}, quick);
  expect(performance.now() - start).toBeGreaterThan(quick.dead);
});
