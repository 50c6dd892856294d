import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { LatestWriter } from "../../src/job/latest-writer.ts";

function writerOf(everyMs: number, write: (value: number, signal: AbortSignal) => Promise<void>) {
  const errors: unknown[] = [];
  return { errors, writer: new LatestWriter<number>({ write, everyMs, onError: (error) => errors.push(error) }) };
}

test("of values that come fast only the latest is written, at most once in the time", async () => {
  const written: number[] = [];
  const { writer } = writerOf(100, async (value) => void written.push(value));
  for (let value = 1; value <= 50; value += 1) {
    writer.put(value);
    await delay(5);
  }
  await delay(150);
  await writer.stop();
  expect(written.at(-1)).toBe(50);
  expect(written.length).toBeLessThanOrEqual(6);
});

test("a write that fails is told, and the next value is written", async () => {
  const written: number[] = [];
  const { writer, errors } = writerOf(1, async (value) => {
    if (value === 1) throw new Error("no answer");
    written.push(value);
  });
  writer.put(1);
  await delay(20);
  writer.put(2);
  await delay(20);
  await writer.stop();
  expect(written).toEqual([2]);
  expect(errors).toHaveLength(1);
});

test("stopping waits for the write that is under way, and writes nothing after it", async () => {
  const written: number[] = [];
  const { writer } = writerOf(1, async (value) => {
    await delay(50);
    written.push(value);
  });
  writer.put(1);
  await delay(10);
  writer.put(2);
  await writer.stop();
  writer.put(3);
  await delay(80);
  expect(written).toEqual([1]);
});
