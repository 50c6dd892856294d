import type { Store } from "./database.ts";

export interface StorePlace {
  /** Address of a PostgreSQL; undefined: the embedded database. */
  readonly databaseUrl: string | undefined;
  /** Where the embedded database lies; not touched with a PostgreSQL. */
  readonly dataDirectory: string;
}

/**
 * Opens the database that the settings ask for, with its tables up to date, and loads nothing of the other one.
 * Throws `AutolithError` when that cannot be.
 */
export async function openStore(place: StorePlace, onConnectionError: (error: Error) => void): Promise<Store> {
  if (place.databaseUrl === undefined) {
    const { openPglite } = await import("./pglite.ts");
    return openPglite(place.dataDirectory);
  }
  const { openPostgresql } = await import("./postgresql.ts");
  return openPostgresql(place.databaseUrl, onConnectionError);
}
