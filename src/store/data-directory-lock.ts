import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { AutolithError, messageOf } from "../errors.ts";

/** SQLite's result code for a lock that somebody else holds: https://www.sqlite.org/rescode.html#busy */
const sqliteBusy = 5;

/**
 * Holds a data directory for this process alone, and makes it if need be. PGlite has no lock of its own, and two processes would
 * corrupt its files. SQLite's file lock does the work: the system gives it up with the process, however that ends.
 * Throws `AutolithError("config")` when another process, or another store of this one, holds it.
 */
export function lockDataDirectory(directory: string): Disposable {
  let database: DatabaseSync | undefined;
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    database = new DatabaseSync(join(directory, "lock"));
    database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    const held = database;
    return { [Symbol.dispose]: () => held.isOpen && held.close() };
  } catch (error) {
    database?.close();
    throw new AutolithError("config", refusal(directory, error), { cause: error });
  }
}

function refusal(directory: string, error: unknown): string {
  if ((error as { errcode?: number }).errcode !== sqliteBusy) {
    return `the data directory ${directory} cannot be used: ${messageOf(error)}`;
  }
  return `another process uses the data directory ${directory}; stop it, or set DATABASE_URL to share a PostgreSQL`;
}
