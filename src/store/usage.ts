import { and, count, eq, gte, isNotNull, sql } from "drizzle-orm";
import type { Database } from "./database.ts";
import { jobs } from "./schema.ts";

/** What jobs took. `costUsd` counts unknown prices as nothing. */
export interface Usage {
  readonly runs: number;
  readonly costUsd: number;
}

/** Jobs of a repository that started at or after a moment: for the limits per repository and day. */
export function repositoryUsage(database: Database, repositoryId: number, since: Date): Promise<Usage> {
  return usageWhere(database, and(eq(jobs.repositoryId, repositoryId), gte(jobs.startedAt, since)));
}

/** All jobs of a key that ever started and were not overtaken by a newer commit: for the limit of runs per pull request. */
export function keyUsage(database: Database, key: string): Promise<Usage> {
  const counts = sql`${jobs.outcome} is distinct from 'stale'`;
  return usageWhere(database, and(eq(jobs.key, key), isNotNull(jobs.startedAt), counts));
}

async function usageWhere(database: Database, condition: ReturnType<typeof and>): Promise<Usage> {
  // A sum is text on one dialect and a number on the other.
  const cost = sql<number>`coalesce(sum((${jobs.spend} ->> 'costUsd')::float8), 0)`.mapWith(Number);
  const [usage] = await database.select({ runs: count(), costUsd: cost }).from(jobs).where(condition);
  return usage ?? { runs: 0, costUsd: 0 };
}
