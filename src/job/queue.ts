import type { PgBoss } from "pg-boss";
import type { Store } from "../store/database.ts";
import { recordDelivery } from "../store/deliveries.ts";
import { lockKeys } from "../store/jobs.ts";
import { applyChange } from "./apply.ts";
import { startBoss } from "./boss.ts";
import type { Change, Effect } from "./change.ts";
import { Dispatch } from "./dispatch.ts";
import { keysOfChange } from "./keys-of-change.ts";

export interface QueueOptions {
  /** How long a failed check waits for the others of its commit. Unit: milliseconds. */
  readonly debounceMs: number;
  /** The longest that a job may take, everything included. Unit: milliseconds. */
  readonly jobLimitMs: number;
  /** Hears of what goes wrong in the background, such as a connection that broke. */
  readonly onError: (error: Error) => void;
}

/** Where events leave what they want, and workers find it. Disposing it stops its background work, not the store. */
export interface Queue extends AsyncDisposable {
  /** Stores what a delivery leads to, once per GUID and all or nothing. Rejects when it could not be stored. */
  accept(delivery: { guid: string; event: string }, change: Change): Promise<Effect>;
  /** The same for what does not come from a delivery. */
  apply(change: Change): Promise<Effect>;
  /** For workers only. */
  readonly boss: PgBoss;
  readonly dispatch: Dispatch;
  readonly store: Store;
}

/** Opens the queue on a store. Throws `AutolithError("infrastructure")` when it does not start. */
export async function openQueue(store: Store, options: QueueOptions): Promise<Queue> {
  const { debounceMs, jobLimitMs, onError } = options;
  const boss = await startBoss(store, { expireInSeconds: Math.ceil(jobLimitMs / 1000), onError });
  const dispatch = new Dispatch(boss);
  return {
    boss,
    dispatch,
    store,
    accept: (delivery, change) =>
      store.database.transaction(async (database): Promise<Effect> => {
        const isNew = await recordDelivery(database, delivery, keysOfChange(change));
        if (!isNew) return { kind: "ignored", reason: "known" };
        return applyChange({ database, dispatch, debounceMs }, change);
      }),
    apply: (change) =>
      store.database.transaction(async (database) => {
        const [key, ...others] = keysOfChange(change);
        if (key !== undefined) await lockKeys(database, key, ...others);
        return applyChange({ database, dispatch, debounceMs }, change);
      }),
    [Symbol.asyncDispose]: () => boss.stop({ graceful: false }),
  };
}
