import { sql } from "drizzle-orm";
import * as jobs from "../store/jobs.ts";
import { fixQueue, intakeQueue } from "./boss.ts";
import type { Queue } from "./queue.ts";

/**
 * Puts right what a process left behind that ended without warning. Run before the workers start.
 * With PGlite, which belongs to one process, every active job is an orphan and goes on at once; with PostgreSQL another process may
 * well be at it, and only a missed heartbeat tells.
 */
export async function recoverJobs(queue: Queue): Promise<void> {
  if (queue.store.dialect === "pglite") {
    for (const name of [fixQueue, intakeQueue]) await requeueActive(queue, name);
  }
  for (const row of await jobs.findJobsNotEnded(queue.store.database)) await resendLost(queue, row);
}

async function requeueActive({ store, boss }: Queue, name: string): Promise<void> {
  const found = sql`select id from autolith_queue.job where name = ${name} and state = 'active'`;
  const { rows } = await store.database.execute(found);
  for (const { id } of rows as { id: string }[]) {
    await boss.fail(name, id);
    await boss.update(name, undefined, { id, startAfter: 0 });
  }
}

const liveStates = ["created", "retry", "active"];

/** A record whose job the queue does not hold any more would never end, and would absorb every later event. */
async function resendLost({ store, boss, dispatch }: Queue, row: jobs.JobRow): Promise<void> {
  const [held] = await boss.findJobs(fixQueue, { id: row.queueId });
  if (held !== undefined && liveStates.includes(held.state)) return;
  await store.database.transaction(async (database) => {
    await jobs.lockKeys(database, row.key);
    const current = await jobs.findJob(database, row.id);
    if (current === null || current.state === "ended" || current.queueId !== row.queueId) return;
    await jobs.updateJob(database, row.id, { queueId: await dispatch.send(database, row.id, row.key, 0) });
  });
}
