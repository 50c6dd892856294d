import { lte } from "drizzle-orm";
import type { Database } from "./database.ts";
import { heads } from "./schema.ts";

/** What was last pushed to the head of a pull request. */
export type Head = typeof heads.$inferSelect;

/** Notes what was pushed. False when something newer is known: deliveries arrive in any order. */
export async function recordPush(database: Database, head: Head): Promise<boolean> {
  const { key: _, ...rest } = head;
  const rows = await database
    .insert(heads)
    .values(head)
    .onConflictDoUpdate({ target: heads.key, set: rest, setWhere: lte(heads.pushedAt, head.pushedAt) })
    .returning({ key: heads.key });
  return rows.length === 1;
}

/** Notes whether the pull request is a draft; the rest of `head` counts only when nothing is known yet. */
export async function recordDraft(database: Database, head: Head): Promise<void> {
  await database
    .insert(heads)
    .values(head)
    .onConflictDoUpdate({ target: heads.key, set: { draft: head.draft } });
}
