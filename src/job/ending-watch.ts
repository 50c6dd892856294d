import type { Store } from "../store/database.ts";
import { findEndings } from "../store/jobs.ts";
import { JobAborted } from "./active-job.ts";
import { endingSchema } from "./ending.ts";

export interface WatchOptions {
  readonly store: Store;
  /** Unit: milliseconds. */
  readonly intervalMs: number;
  readonly onError: (error: Error) => void;
}

/**
 * Aborts running jobs for which an ending was decided, by whichever process. It asks the database about the jobs that run here,
 * and only while any does: the same on both dialects, and it finds what was decided while a connection was down.
 */
export class EndingWatch implements Disposable {
  readonly #options: WatchOptions;
  readonly #controllers = new Map<string, AbortController>();
  readonly #timer: NodeJS.Timeout;
  #isLooking = false;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.#look(), options.intervalMs);
  }

  /** The signal of one running job, until it is disposed. */
  watch(jobId: string): Disposable & { readonly signal: AbortSignal } {
    const controller = new AbortController();
    this.#controllers.set(jobId, controller);
    return { signal: controller.signal, [Symbol.dispose]: () => void this.#controllers.delete(jobId) };
  }

  async #look(): Promise<void> {
    if (this.#isLooking || this.#controllers.size === 0) return;
    this.#isLooking = true;
    try {
      const endings = await findEndings(this.#options.store.database, [...this.#controllers.keys()]);
      for (const [id, ending] of endings) {
        this.#controllers.get(id)?.abort(new JobAborted(endingSchema.parse(ending)));
      }
    } catch (error) {
      this.#options.onError(error as Error);
    } finally {
      this.#isLooking = false;
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
