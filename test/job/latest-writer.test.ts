import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { LatestWriter } from "../../src/job/latest-writer.ts";

class Limited extends Error {}

function writerOf(everyMs: number, write: (value: number, signal: AbortSignal) => Promise<void>) {
  const errors: unknown[] = [];
  const onError = (error: unknown) => {
    errors.push(error);
    return error instanceof Limited ? new Date(Date.now() + 200) : null;
  };
  return { errors, writer: new LatestWriter<number>({ write, everyMs, onError }) };
}

test("of values that come fast only the latest is written, at most once in the time", async () => {
  const written: number[] = [];
  const { writer } = writerOf(100, async (value) => void written.push(value));
  const start = performance.now();
  for (let value = 1; value <= 50; value += 1) {
    writer.put(value);
    await delay(5);
  }
  await delay(150);
  await writer.stop();
  expect(written.at(-1)).toBe(50);
  expect(written.length).toBeLessThanOrEqual((performance.now() - start) / 100 + 2);
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

test("nothing is written before the time until which it would be refused, and then the latest", async () => {
  const written: number[] = [];
  const { writer } = writerOf(1, async (value) => {
    written.push(value);
    if (value === 1) throw new Limited();
  });
  writer.put(1);
  await delay(20);
  writer.put(2);
  writer.put(3);
  await delay(100);
  expect(written).toEqual([1]);
  await delay(150);
  await writer.stop();
  expect(written).toEqual([1, 3]);
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
