import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { SilenceTimer } from "../../src/sandbox/silence-timer.ts";

function timer(milliseconds: number): { timer: SilenceTimer; fired: () => number } {
  let count = 0;
  const made = new SilenceTimer(milliseconds, () => {
    count += 1;
  });
  return { timer: made, fired: () => count };
}

/** Holds this process up, as a long computation does. */
function block(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

test("fires once after the silence", async () => {
  const { fired } = timer(10);
  await sleep(60);
  expect(fired()).toBe(1);
});

test("does not fire when it is stopped, not even at the last moment, and cannot be started again", async () => {
  const { timer: stopped, fired } = timer(5);
  stopped.stop();
  stopped.restart(1);
  await sleep(30);
  expect(fired()).toBe(0);
});

test("begins anew when something was heard, with another length when asked to", async () => {
  const { timer: restarted, fired } = timer(40);
  await sleep(25);
  restarted.restart();
  await sleep(25);
  expect(fired()).toBe(0);
  restarted.restart(1);
  await sleep(30);
  expect(fired()).toBe(1);
});

test("hears what arrived in time while this process was held up", async () => {
  const { timer: held, fired } = timer(20);
  // A timer that is due together with ours stands for the answer being read.
  setTimeout(() => held.stop(), 21);
  block(50);
  await sleep(20);
  expect(fired()).toBe(0);
});
