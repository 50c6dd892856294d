import { and, desc, eq, isNull, ne, or, sql } from "drizzle-orm";
import type { Database } from "./database.ts";
import type { Head } from "./heads.ts";
import type { JobRow } from "./jobs.ts";
import { heads, jobs } from "./schema.ts";

/** Stands for the commit of jobs whose commit is settled when they start, so that it tells nothing of what they are about. */
export const anyCommit = Symbol("any commit");

/** What a request for a job is held against. */
export interface StandingKey {
  /** The key of the jobs. */
  readonly key: string;
  /** Whose ended jobs count: those of one commit, those without a commit, or all. */
  readonly sha: string | null | typeof anyCommit;
  /** The key of the head. */
  readonly headKey: string;
}

export interface StandingRows {
  readonly queued: JobRow | null;
  readonly active: JobRow | null;
  /** Ended jobs of the commit, latest first. */
  readonly ended: readonly JobRow[];
  /** What was last pushed; null when no event told. */
  readonly head: Head | null;
}

/** How many ended jobs of one commit are looked at; their causes are few. */
const endedJobsRead = 20;
/** At most one job of a key waits, and one is active. */
const openJobsRead = 2;

/** Reads all that decides about a request in one statement, since a delivery waits for each of them, and so does its key. */
export async function findStanding(database: Database, { key, sha, headKey }: StandingKey): Promise<StandingRows> {
  const sameSha = sha === anyCommit ? undefined : sha === null ? isNull(jobs.sha) : eq(jobs.sha, sha);
  const isOpen = ne(jobs.state, "ended");
  const counts = sameSha === undefined ? undefined : or(isOpen, sameSha);
  const rows = await database
    .select({ head: heads, job: jobs })
    .from(sql`(select 1) as one`)
    .leftJoin(heads, eq(heads.key, headKey))
    .leftJoin(jobs, and(eq(jobs.key, key), counts))
    .orderBy(sql`${isOpen} desc`, desc(jobs.createdAt))
    .limit(openJobsRead + endedJobsRead);
  const found = rows.flatMap(({ job }) => (job === null ? [] : [job]));
  return {
    queued: found.find(({ state }) => state === "queued") ?? null,
    active: found.find(({ state }) => state === "active") ?? null,
    ended: found.filter(({ state }) => state === "ended").slice(0, endedJobsRead),
    head: rows[0]?.head ?? null,
  };
}
