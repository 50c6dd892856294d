import { and, eq, inArray } from "drizzle-orm";
import type { Database } from "./database.ts";
import { heads, jobs, refusals, repositories } from "./schema.ts";

/** True for the first caller in a repository, false for all later ones: the first comment there says how to switch Autolith off. */
export async function greetOnce(
  database: Database,
  repository: { id: number; installationId: number },
): Promise<boolean> {
  const rows = await database.insert(repositories).values(repository).onConflictDoNothing().returning();
  return rows.length === 1;
}

/** The repositories that an installation lost: the named ones, or all of them. */
export interface Lost {
  readonly installationId: number;
  readonly repositoryIds: readonly number[] | "all";
}

/** Removes what is stored about repositories, except jobs that did not end yet. */
export async function forgetRepositories(database: Database, lost: Lost): Promise<void> {
  for (const table of [heads, refusals] as const) await database.delete(table).where(among(table, lost));
  await database.delete(jobs).where(and(among(jobs, lost), eq(jobs.state, "ended")));
  await database
    .delete(repositories)
    .where(
      and(
        eq(repositories.installationId, lost.installationId),
        lost.repositoryIds === "all" ? undefined : inArray(repositories.id, [...lost.repositoryIds]),
      ),
    );
}

/** The condition that a row is about one of the lost repositories. */
export function among(table: typeof heads | typeof refusals | typeof jobs, lost: Lost) {
  return and(
    eq(table.installationId, lost.installationId),
    lost.repositoryIds === "all" ? undefined : inArray(table.repositoryId, [...lost.repositoryIds]),
  );
}
