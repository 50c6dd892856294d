import { untilAborted } from "./until-aborted.ts";

/** First come, first served: one holder at a time. */
export class TurnQueue {
  #last: Promise<void> = Promise.resolve();

  /** Resolves with the function that ends the turn. When aborted while waiting, gives its place up and rejects with the signal's reason. */
  async take(signal: AbortSignal): Promise<() => void> {
    const before = this.#last;
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    this.#last = before.then(() => ended);
    try {
      await untilAborted(before, signal);
    } catch (error) {
      end();
      throw error;
    }
    return end;
  }
}
