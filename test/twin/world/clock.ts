/** The twin's time: the machine's, moved by what a test adds, so that an hour passes in no time. */
export class TwinClock {
  #offsetMs = 0;

  /** Milliseconds since the epoch. */
  now(): number {
    return Date.now() + this.#offsetMs;
  }

  /** Moves time forward (or back, with a negative number) for everything that the twin decides by time. */
  advance(milliseconds: number): void {
    this.#offsetMs += milliseconds;
  }

  /** The time as GitHub writes it, in whole seconds: two events of one second cannot be told apart by their times. */
  iso(at: number = this.now()): string {
    return `${new Date(at).toISOString().slice(0, 19)}Z`;
  }
}
