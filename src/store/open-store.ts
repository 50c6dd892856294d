import type { Store } from "./database.ts";
import { openPglite } from "./pglite.ts";
import { openPostgresql } from "./postgresql.ts";

export interface StorePlace {
  /** Address of a PostgreSQL; undefined: the embedded database. */
  readonly databaseUrl: string | undefined;
  /** Where the embedded database lies; not touched with a PostgreSQL. */
  readonly dataDirectory: string;
}

/** Opens the database that the settings ask for, with its tables up to date. Throws `AutolithError` when that cannot be. */
export function openStore(place: StorePlace, onConnectionError: (error: Error) => void): Promise<Store> {
  return place.databaseUrl === undefined
    ? openPglite(place.dataDirectory)
    : openPostgresql(place.databaseUrl, onConnectionError);
}
