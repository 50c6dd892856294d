export interface LatestWriterOptions<T> {
  readonly write: (value: T, signal: AbortSignal) => Promise<void>;
  /** The shortest time between the ends and starts of writes, in milliseconds. */
  readonly everyMs: number;
  /** Hears of a write that failed, and says until when nothing is worth another try; null: there is no such time. */
  readonly onError: (error: unknown) => Date | null;
}

/** One write may take this long before it is given up. */
const writeMs = 15_000;
/** What is under way when it stops is waited for this long, so that it does not land after what comes next. */
const stopMs = 5_000;

/** Writes the latest of many values, now and then; values that come faster are passed over. */
export class LatestWriter<T> {
  readonly #options: LatestWriterOptions<T>;
  readonly #stopping = new AbortController();
  #waiting: { readonly value: T } | null = null;
  #writing: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #lastEnd = Number.NEGATIVE_INFINITY;
  #pausedMs = 0;
  #stopped = false;

  constructor(options: LatestWriterOptions<T>) {
    this.#options = options;
  }

  put(value: T): void {
    if (this.#stopped) return;
    this.#waiting = { value };
    this.#schedule();
  }

  /** Writes nothing more; resolves when nothing is under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#waiting = null;
    if (this.#timer !== null) clearTimeout(this.#timer);
    const limit = setTimeout(() => this.#stopping.abort(), stopMs);
    await this.#writing;
    clearTimeout(limit);
  }

  #schedule(): void {
    if (this.#timer !== null || this.#writing !== null || this.#waiting === null) return;
    const wait = this.#lastEnd + Math.max(this.#options.everyMs, this.#pausedMs) - performance.now();
    this.#timer = setTimeout(() => this.#start(), Math.max(0, wait));
  }

  #start(): void {
    this.#timer = null;
    const { value } = this.#waiting ?? {};
    if (value === undefined || this.#stopped) return;
    this.#waiting = null;
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(writeMs)]);
    this.#pausedMs = 0;
    this.#writing = this.#options
      .write(value, signal)
      .catch((error: unknown) => {
        const until = this.#options.onError(error);
        if (until !== null) this.#pausedMs = until.getTime() - Date.now();
      })
      .finally(() => {
        this.#writing = null;
        this.#lastEnd = performance.now();
        this.#schedule();
      });
  }
}
