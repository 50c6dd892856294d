import { untilAborted } from "./until-aborted.ts";

/** First come, first served: one holder at a time. */
export class TurnQueue {
  /** Settles when whoever came last has ended its turn; null when nobody holds or waits for one. */
  #last: Promise<void> | null = null;

  /** Resolves with the function that ends the turn. When aborted while waiting, gives its place up and rejects with the signal's reason. */
  async take(signal: AbortSignal): Promise<() => void> {
    const before = this.#last;
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const mine = before === null ? ended : before.then(() => ended);
    this.#last = mine;
    const end = () => {
      if (this.#last === mine) this.#last = null;
      resolve();
    };
    if (before === null) return end;
    try {
      await untilAborted(before, signal);
    } catch (error) {
      resolve();
      throw error;
    }
    return end;
  }
}
