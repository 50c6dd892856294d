/** Times of a lock in milliseconds; see lock.mjs. */
export interface LockTimes {
  readonly beat: number;
  readonly dead: number;
  readonly poll: number;
}

/** Runs `work` while no other process holds the lock folder; see lock.mjs. */
export function withLock<T>(folder: string, work: () => Promise<T>, times?: LockTimes): Promise<T>;
