import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import type { ConstructorOptions } from "pg-boss";
import type * as schema from "./schema.ts";

/** What a statement that drizzle did not build gives on both dialects. */
interface RowsResult extends PgQueryResultHKT {
  readonly type: { rows: unknown[] };
}

/** Drizzle over either dialect, or a transaction of it: queries are written against this only. */
export type Database = PgDatabase<RowsResult, typeof schema>;

/** Where the tables live. Disposing it closes every connection. */
export interface Store extends AsyncDisposable {
  /** PGlite runs in this process and belongs to it alone; PostgreSQL may be shared by many processes. */
  readonly dialect: "pglite" | "postgresql";
  readonly database: Database;
  /** How the queue reaches the same database. */
  readonly queueConnection: ConstructorOptions;
}

/** Resolves when the database answers, within the store's own time limits; rejects otherwise. */
export async function checkDatabase(store: Store): Promise<void> {
  await store.database.execute("select 1");
}
