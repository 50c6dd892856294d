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

/**
 * Connections that are open before the first delivery comes, and stay open: to begin one costs the server a process, both sides a key
 * derivation, and the delivery that has to wait for it more than all its statements. A check suite's events come a few at a time.
 */
const keptConnections = 4;

/** Any number does, as long as nothing else in the database takes the same advisory lock. */
const migrationLock = 7_305_842_611;

/**
 * Opens a PostgreSQL and brings its tables up to date; processes that start together wait for each other.
 * Connections that break while idle are replaced, and `onConnectionError` hears of it.
 * Throws `AutolithError("infrastructure")` when the server cannot be reached or used, without the address, which holds a password.
 */
export async function openPostgresql(url: string, onConnectionError: (error: Error) => void): Promise<Store> {
  const pool = poolAt(url);
  pool.on("error", onConnectionError);
  try {
    await bringUpToDate(url);
    await openConnections(pool);
  } catch (error) {
    await pool.end();
    // Several refused addresses of one name make an error without a message.
    const reason = messageOf(error) || String((error as NodeJS.ErrnoException).code);
    const message = `the PostgreSQL of DATABASE_URL cannot be used: ${reason}`;
    throw new AutolithError("infrastructure", message, { cause: error });
  }
  return {
    dialect: "postgresql",
    database: drizzle({ client: pool, schema, casing: "snake_case" }),
    queueConnection: { connectionString: url, application_name: "autolith-queue", max: 4 },
    [Symbol.asyncDispose]: async () => {
      if (!pool.ended) await pool.end();
    },
  };
}

function poolAt(url: string): pg.Pool {
  const size = { min: keptConnections, max: 8 };
  return new pg.Pool({ connectionString: url, application_name: "autolith", ...size, ...limits });
}

/** Opens as many as are kept. */
async function openConnections(pool: pg.Pool): Promise<void> {
  const opened = await Promise.allSettled(Array.from({ length: keptConnections }, () => pool.connect()));
  for (const connection of opened) if (connection.status === "fulfilled") connection.value.release();
  const failed = opened.find((connection) => connection.status === "rejected");
  if (failed !== undefined) throw failed.reason;
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
