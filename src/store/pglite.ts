import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { drizzle } from "drizzle-orm/pglite";
import { migrate } from "drizzle-orm/pglite/migrator";
import { fromPglite } from "pg-boss";
import { AutolithError, messageOf } from "../errors.ts";
import { lockDataDirectory } from "./data-directory-lock.ts";
import type { Store } from "./database.ts";
import { migrations } from "./migrations.ts";
import * as schema from "./schema.ts";

/**
 * Opens the embedded database below a data directory, which is locked for this process, and brings its tables up to date.
 * Throws `AutolithError`: "config" when the directory cannot be had, "infrastructure" when the database does not start.
 */
export async function openPglite(dataDirectory: string): Promise<Store> {
  const lock = lockDataDirectory(dataDirectory);
  let client: PGlite | undefined;
  try {
    client = await PGlite.create(join(dataDirectory, "database"));
    const database = drizzle({ client, schema, casing: "snake_case" });
    await migrate(database, migrations);
    const opened = client;
    return {
      dialect: "pglite",
      database,
      queueConnection: { db: fromPglite(client), backend: "pglite" },
      [Symbol.asyncDispose]: async () => {
        if (!opened.closed) await opened.close();
        lock[Symbol.dispose]();
      },
    };
  } catch (error) {
    await client?.close();
    lock[Symbol.dispose]();
    const message = `the database below ${dataDirectory} does not start: ${messageOf(error)}`;
    throw new AutolithError("infrastructure", message, { cause: error });
  }
}
