import { PgBoss, type QueueOptions } from "pg-boss";
import { AutolithError, messageOf } from "../errors.ts";
import type { Store } from "../store/database.ts";

/** Names of pg-boss's queues. */
export const fixQueue = "fix";
export const intakeQueue = "intake";

/**
 * How a job of ours is counted and when it is over is decided by our own records; pg-boss only has to hand it out again, so its own
 * limit of retries is out of the way, and its delay counts only when our records could not be written.
 */
const fixOptions = { retryLimit: 10_000, retryDelay: 5, heartbeatSeconds: 30, deleteAfterSeconds: 86_400 };

const intakeOptions: QueueOptions = {
  retryLimit: 6,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 60,
  expireInSeconds: 120,
  heartbeatSeconds: 20,
  deleteAfterSeconds: 86_400,
};

export interface BossOptions {
  /** A job that runs longer is taken for hung and handed out again; above any job's own time limit. Unit: seconds. */
  readonly expireInSeconds: number;
  readonly onError: (error: Error) => void;
}

/** Starts pg-boss on a store, with its tables and queues up to date. Throws `AutolithError("infrastructure")`. */
export async function startBoss(store: Store, { expireInSeconds, onError }: BossOptions): Promise<PgBoss> {
  const boss = new PgBoss({
    ...store.queueConnection,
    schema: "autolith_queue",
    useListenNotify: true,
    registerInstance: false,
    schedule: false,
    // Jobs of a worker that died are found by these; the default of a minute would be added to the missed heartbeat.
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
  });
  boss.on("error", onError);
  try {
    await boss.start();
    await ensureQueue(boss, fixQueue, "stately", { ...fixOptions, expireInSeconds });
    await ensureQueue(boss, intakeQueue, "standard", intakeOptions);
  } catch (error) {
    await boss.stop({ graceful: false });
    throw new AutolithError("infrastructure", `the job queue does not start: ${messageOf(error)}`, { cause: error });
  }
  return boss;
}

/** Creating leaves a queue that exists as it is, so options that a new version changed are set afterwards. */
async function ensureQueue(boss: PgBoss, name: string, policy: string, options: QueueOptions): Promise<void> {
  await boss.createQueue(name, { ...options, policy, notify: true });
  await boss.updateQueue(name, { ...options, notify: true });
}
