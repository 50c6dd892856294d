import { lt, sql } from "drizzle-orm";
import type { Database } from "./database.ts";
import { lockOf } from "./jobs.ts";
import { deliveries } from "./schema.ts";

/**
 * Notes a delivery, in the transaction that also stores what it leads to. False when it was noted before: GitHub redelivers under
 * the GUID of the first attempt. Waits for a transaction that is noting the same one, and gives true if that one is rolled back.
 * A new one locks the keys as `lockKeys` does, in the same statement, since whoever sent the delivery waits for each of them.
 */
export async function recordDelivery(
  database: Database,
  { guid, event }: { readonly guid: string; readonly event: string },
  keys: readonly string[] = [],
): Promise<boolean> {
  const { rows } = await database.execute(sql`
    with noted as (insert into ${deliveries} (guid, event) values (${guid}, ${event}) on conflict do nothing returning guid)
    select ${sql.join([sql`guid`, ...keys.map(lockOf)], sql`, `)} from noted`);
  return rows.length === 1;
}

/** Forgets deliveries received before a moment. GitHub can redeliver for three days, so keep more than that. */
export async function forgetDeliveries(database: Database, before: Date): Promise<void> {
  await database.delete(deliveries).where(lt(deliveries.receivedAt, before));
}
