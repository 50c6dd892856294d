import { expect } from "vitest";

const rounds = 3;
/** Below this a difference is the machine's and not the code's. Unit: milliseconds. */
const floorMs = 3;
/** Four times the input takes four times as long where the work is linear, and sixteen times where it is quadratic. */
const mostGrowth = 10;

/** Asserts that work grows with its input and not with its square, by CPU time of the same run; the clock on the wall does not matter. */
export function expectLinear(work: (size: number) => unknown, size: number): void {
  const small = Math.max(
    floorMs,
    cpuMs(() => work(Math.ceil(size / 4))),
  );
  const large = cpuMs(() => work(size));
  expect(large / small).toBeLessThan(mostGrowth);
}

/** The least that any of a few rounds took. */
function cpuMs(work: () => unknown): number {
  const times = Array.from({ length: rounds }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...times);
}
