/** Calls `onSilence` once when it was not restarted for so many milliseconds. */
export class SilenceTimer {
  readonly #onSilence: () => void;
  #milliseconds: number;
  #timer: NodeJS.Timeout;
  #lastLook: NodeJS.Immediate | undefined;
  #stopped = false;

  constructor(milliseconds: number, onSilence: () => void) {
    this.#milliseconds = milliseconds;
    this.#onSilence = onSilence;
    this.#timer = this.#arm();
  }

  /** Begins anew, with another length when one is given. Does nothing after `stop`. */
  restart(milliseconds: number = this.#milliseconds): void {
    if (this.#stopped) return;
    clearTimeout(this.#timer);
    clearImmediate(this.#lastLook);
    this.#milliseconds = milliseconds;
    this.#timer = this.#arm();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    clearImmediate(this.#lastLook);
  }

  /**
   * When this process itself was held up, an answer may be waiting that was sent in time: between a timer and an immediate the
   * event loop reads what has arrived.
   */
  #arm(): NodeJS.Timeout {
    return setTimeout(() => {
      this.#lastLook = setImmediate(this.#onSilence);
    }, this.#milliseconds);
  }
}
