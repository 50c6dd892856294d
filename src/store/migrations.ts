import { fileURLToPath } from "node:url";
import type { MigrationConfig } from "drizzle-orm/migrator";
import { schemaName } from "./schema.ts";

/** Where drizzle finds the migrations, and where it notes which of them ran. */
export const migrations: MigrationConfig = {
  migrationsFolder: fileURLToPath(new URL("migrations", import.meta.url)),
  migrationsSchema: schemaName,
  migrationsTable: "migrations",
};
