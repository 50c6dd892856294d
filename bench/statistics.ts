/** Times of one thing measured many times, in milliseconds. */
export interface Timing {
  readonly samples: number;
  readonly p50: number;
  readonly p99: number;
}

/** Nearest-rank percentiles. Throws when there are no samples. */
export function timing(samples: readonly number[]): Timing {
  const sorted = samples.toSorted((left, right) => left - right);
  return { samples: sorted.length, p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) };
}

/** How many times longer the slower one takes, by its median. */
export function ratio(slow: Timing, fast: Timing): number {
  return Math.round((slow.p50 / fast.p50) * 10) / 10;
}

/** Runs it once and adds how long it took. */
export async function measure(samples: number[], work: () => Promise<unknown>): Promise<void> {
  const started = performance.now();
  await work();
  samples.push(performance.now() - started);
}

function percentile(sorted: readonly number[], share: number): number {
  const value = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
  if (value === undefined) throw new Error("nothing was measured");
  return Math.round(value * 1_000) / 1_000;
}
