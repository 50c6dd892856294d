import { and, eq, inArray } from "drizzle-orm";
import type { Database } from "./database.ts";
import { heads, jobs, refusals, repositories } from "./schema.ts";

/**
 * Whether a repository was first spoken to on this issue or pull request: the comment there says how to switch Autolith off, also when it
 * is written again. The first caller decides.
 */
export async function isGreetedOn(
  database: Database,
  repository: { id: number; installationId: number },
  issue: number,
): Promise<boolean> {
  await database
    .insert(repositories)
    .values({ ...repository, greetedOn: issue })
    .onConflictDoNothing();
  const [row] = await database
    .select({ greetedOn: repositories.greetedOn })
    .from(repositories)
    .where(eq(repositories.id, repository.id));
  return row?.greetedOn === issue;
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
