import { lt } from "drizzle-orm";
import type { Database } from "./database.ts";
import { deliveries } from "./schema.ts";

/**
 * Notes a delivery, in the transaction that also stores what it leads to. False when it was noted before: GitHub redelivers under
 * the GUID of the first attempt. Waits for a transaction that is noting the same one, and gives true if that one is rolled back.
 */
export async function recordDelivery(database: Database, delivery: { guid: string; event: string }): Promise<boolean> {
  const rows = await database.insert(deliveries).values(delivery).onConflictDoNothing().returning();
  return rows.length === 1;
}

/** Forgets deliveries received before a moment. GitHub can redeliver for three days, so keep more than that. */
export async function forgetDeliveries(database: Database, before: Date): Promise<void> {
  await database.delete(deliveries).where(lt(deliveries.receivedAt, before));
}
