import { drizzle } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import pg from "pg";
import { AutolithError, messageOf } from "../errors.ts";
import type { Store } from "./database.ts";
import { migrations } from "./migrations.ts";
import * as schema from "./schema.ts";

/** A delivery has to be answered within ten seconds, so a database that hangs must become an error well before. */
const limits = {
  connectionTimeoutMillis: 5_000,
  query_timeout: 7_000,
  statement_timeout: 6_000,
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 30_000,
};

/** Any number does, as long as nothing else in the database takes the same advisory lock. */
const migrationLock = 7_305_842_611;

/**
 * Opens a PostgreSQL and brings its tables up to date; processes that start together wait for each other.
 * Connections that break while idle are replaced, and `onConnectionError` hears of it.
 * Throws `AutolithError("infrastructure")` when the server cannot be reached or used, without the address, which holds a password.
 */
export async function openPostgresql(url: string, onConnectionError: (error: Error) => void): Promise<Store> {
  try {
    await bringUpToDate(url);
  } catch (error) {
    // Several refused addresses of one name make an error without a message.
    const reason = messageOf(error) || String((error as NodeJS.ErrnoException).code);
    const message = `the PostgreSQL of DATABASE_URL cannot be used: ${reason}`;
    throw new AutolithError("infrastructure", message, { cause: error });
  }
  const pool = new pg.Pool({ connectionString: url, application_name: "autolith", max: 8, ...limits });
  pool.on("error", onConnectionError);
  return {
    dialect: "postgresql",
    database: drizzle({ client: pool, schema, casing: "snake_case" }),
    queueConnection: { connectionString: url, application_name: "autolith-queue", max: 4 },
    [Symbol.asyncDispose]: async () => {
      if (!pool.ended) await pool.end();
    },
  };
}

async function bringUpToDate(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // Without a listener a connection that breaks here would end the process; the query in flight reports it.
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [migrationLock]);
    await migrate(drizzle({ client }), migrations);
  } finally {
    await client.end();
  }
}
