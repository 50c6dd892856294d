import { and, desc, eq, inArray, isNotNull, ne, type SQL, sql } from "drizzle-orm";
import type { Database } from "./database.ts";
import { among, type Lost } from "./repositories.ts";
import { jobs } from "./schema.ts";

/** A job's record. What `work`, `ending`, `spend` and `resume` hold is known to whoever wrote them. */
export type JobRow = typeof jobs.$inferSelect;
export type NewJobRow = typeof jobs.$inferInsert;
export type JobFields = Partial<Omit<NewJobRow, "id" | "key">>;

/**
 * Lets one transaction at a time decide about the jobs of some keys; given up when the transaction ends. Whatever reads a key's jobs in
 * order to change them takes it first. The keys are locked in the order given, which has to be the same for all who lock several.
 */
export async function lockKeys(database: Database, ...keys: readonly [string, ...string[]]): Promise<void> {
  await database.execute(sql`select ${sql.join(keys.map(lockOf), sql`, `)}`);
}

/** The expression that locks one key where it is evaluated. */
export function lockOf(key: string): SQL {
  return sql`pg_advisory_xact_lock(hashtextextended(${key}, 0))`;
}

/** The jobs of some keys that did not end. */
export function findOpenJobsOf(database: Database, keys: readonly string[]): Promise<JobRow[]> {
  return database
    .select()
    .from(jobs)
    .where(and(inArray(jobs.key, [...keys]), ne(jobs.state, "ended")));
}

/** The jobs of a key that did not end. */
export async function findOpenJobs(
  database: Database,
  key: string,
): Promise<{ queued: JobRow | null; active: JobRow | null }> {
  const rows = await findOpenJobsOf(database, [key]);
  return {
    queued: rows.find(({ state }) => state === "queued") ?? null,
    active: rows.find(({ state }) => state === "active") ?? null,
  };
}

const proposalsRead = 5;

/** Pull requests that jobs of a key opened, latest first. */
export async function findProposals(database: Database, key: string): Promise<number[]> {
  const rows = await database
    .select({ pullRequest: jobs.pullRequest })
    .from(jobs)
    .where(and(eq(jobs.key, key), isNotNull(jobs.pullRequest)))
    .orderBy(desc(jobs.createdAt))
    .limit(proposalsRead);
  return rows.flatMap(({ pullRequest }) => (pullRequest === null ? [] : [pullRequest]));
}

export async function findJob(database: Database, id: string): Promise<JobRow | null> {
  const [row] = await database.select().from(jobs).where(eq(jobs.id, id));
  return row ?? null;
}

/** The jobs that did not end, of the lost repositories or of all. */
export function findJobsNotEnded(database: Database, lost?: Lost): Promise<JobRow[]> {
  const scope = lost === undefined ? undefined : among(jobs, lost);
  return database
    .select()
    .from(jobs)
    .where(and(ne(jobs.state, "ended"), scope));
}

export async function insertJob(database: Database, row: NewJobRow): Promise<void> {
  await database.insert(jobs).values(row);
}

export async function updateJob(database: Database, id: string, fields: JobFields): Promise<void> {
  await database.update(jobs).set(fields).where(eq(jobs.id, id));
}

/** Updates a job only while the given attempt is its current one; false when it is not. */
export async function updateAttempt(
  database: Database,
  held: { id: string; attempt: number },
  fields: JobFields,
): Promise<boolean> {
  const rows = await database
    .update(jobs)
    .set(fields)
    .where(and(eq(jobs.id, held.id), eq(jobs.attempts, held.attempt), eq(jobs.state, "active")))
    .returning({ id: jobs.id });
  return rows.length === 1;
}

export async function deleteJob(database: Database, id: string): Promise<void> {
  await database.delete(jobs).where(eq(jobs.id, id));
}

/** What was decided from outside about jobs, by id; those without a decision are left out. */
export async function findEndings(database: Database, ids: readonly string[]): Promise<Map<string, unknown>> {
  if (ids.length === 0) return new Map();
  const rows = await database
    .select({ id: jobs.id, ending: jobs.ending })
    .from(jobs)
    .where(inArray(jobs.id, [...ids]));
  return new Map(rows.filter(({ ending }) => ending !== null).map(({ id, ending }) => [id, ending]));
}
