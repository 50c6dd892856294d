import { randomUUID } from "node:crypto";
import type { Database } from "../../src/store/database.ts";
import { insertJob, type NewJobRow } from "../../src/store/jobs.ts";

let lastId = 5_000_000_000;

/** An id that no other test uses, beyond 32 bits like those of GitHub will be. */
export function freshId(): number {
  lastId += 1;
  return lastId;
}

/** Stores a job of a repository of its own. */
export async function storeJob(database: Database, overrides: Partial<NewJobRow> = {}): Promise<NewJobRow> {
  const repositoryId = overrides.repositoryId ?? freshId();
  const row: NewJobRow = {
    id: randomUUID(),
    queueId: randomUUID(),
    key: `${repositoryId}:refs/heads/fix`,
    state: "queued",
    installationId: 1,
    repositoryId,
    sha: "a".repeat(40),
    shaSeenAt: new Date("2026-01-02T03:04:05Z"),
    work: { kind: "fix" },
    ...overrides,
  };
  await insertJob(database, row);
  return row;
}
