import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import type { Store } from "../../src/store/database.ts";
import { openStore } from "../../src/store/open-store.ts";
import { startPostgresql } from "./postgresql-server.ts";

export const dialects = ["pglite", "postgresql"] as const;

/** Opens a store of the dialect for the tests of the surrounding block, with nothing in it. */
export function useStore(dialect: (typeof dialects)[number]): () => Store {
  const cleanups = new AsyncDisposableStack();
  let store: Store | undefined;
  beforeAll(async () => {
    const place = dialect === "pglite" ? await pglitePlace(cleanups) : await postgresqlPlace(cleanups);
    store = cleanups.use(await openStore(place, () => {}));
  }, 60_000);
  afterAll(() => cleanups.disposeAsync());
  return () => {
    if (store === undefined) throw new Error("the store is opened before the tests, not before the file");
    return store;
  };
}

async function pglitePlace(cleanups: AsyncDisposableStack) {
  const dataDirectory = await mkdtemp(join(tmpdir(), "autolith-data-"));
  cleanups.defer(() => rm(dataDirectory, { recursive: true, force: true }));
  return { databaseUrl: undefined, dataDirectory };
}

async function postgresqlPlace(cleanups: AsyncDisposableStack) {
  const server = cleanups.use(await startPostgresql());
  return { databaseUrl: await server.createDatabase(), dataDirectory: "/nonexistent" };
}
