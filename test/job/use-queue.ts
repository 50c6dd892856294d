import { afterAll, beforeAll } from "vitest";
import { openQueue, type Queue } from "../../src/job/queue.ts";
import { dialects, useStore } from "../store/use-store.ts";

export { dialects };

/** Opens a queue on a store of the dialect for the tests of the surrounding block. */
export function useQueue(dialect: (typeof dialects)[number], debounceMs = 90_000): () => Queue {
  const opened = useStore(dialect);
  let queue: Queue | undefined;
  beforeAll(async () => {
    const onError = (error: Error) => {
      throw error;
    };
    queue = await openQueue(opened(), { debounceMs, jobLimitMs: 3_600_000, onError });
  }, 60_000);
  afterAll(() => queue?.[Symbol.asyncDispose]());
  return () => {
    if (queue === undefined) throw new Error("the queue is opened before the tests, not before the file");
    return queue;
  };
}
