import { and, count, eq, gte, isNotNull, ne, sql } from "drizzle-orm";
import type { Database } from "./database.ts";
import { lockKeys } from "./jobs.ts";
import { jobs } from "./schema.ts";

/**
 * What jobs took. Runs are jobs that were let in: their spend was written down, be it nothing yet. `costUsd` counts a call that is under
 * way, or was when its process died, with all that it may cost, and unknown prices as nothing.
 */
export interface Usage {
  readonly runs: number;
  readonly costUsd: number;
}

/**
 * Lets one transaction at a time decide about a repository's spend; given up when the transaction ends. Whatever compares the usage with
 * a limit takes it first.
 */
export function lockSpend(database: Database, repositoryId: number): Promise<void> {
  return lockKeys(database, `${repositoryId}:spend`);
}

/** Jobs of a repository that started at or after a moment, without the given one: for the limits per repository and day. */
export function repositoryUsage(
  database: Database,
  repositoryId: number,
  since: Date,
  withoutJob: string | null = null,
): Promise<Usage> {
  return usageWhere(database, withoutJob, and(eq(jobs.repositoryId, repositoryId), gte(jobs.startedAt, since)));
}

/** All jobs of a key that ever started and were not overtaken by a newer commit: for the limit of runs per pull request. */
export function keyUsage(database: Database, key: string, withoutJob: string | null = null): Promise<Usage> {
  const counts = sql`${jobs.outcome} is distinct from 'stale'`;
  return usageWhere(database, withoutJob, and(eq(jobs.key, key), isNotNull(jobs.startedAt), counts));
}

async function usageWhere(
  database: Database,
  withoutJob: string | null,
  condition: ReturnType<typeof and>,
): Promise<Usage> {
  const usd = (path: string) => sql`coalesce((${jobs.spend} #>> ${path}::text[])::float8, 0)`;
  // A sum is text on one dialect and a number on the other.
  const cost = sql<number>`coalesce(sum(${usd("{costUsd}")} + ${usd("{inFlight,costUsd}")}), 0)`.mapWith(Number);
  const others = withoutJob === null ? undefined : ne(jobs.id, withoutJob);
  const [usage] = await database
    .select({ runs: count(), costUsd: cost })
    .from(jobs)
    .where(and(condition, isNotNull(jobs.spend), others));
  return usage ?? { runs: 0, costUsd: 0 };
}
