import { sql } from "drizzle-orm";
import * as pg from "drizzle-orm/pg-core";

/** Everything of ours lies in this schema, next to the queue's own. */
export const schemaName = "autolith";

const schema = pg.pgSchema(schemaName);

/** GitHub's numeric ids; they stay below 2^53. */
const githubId = () => pg.bigint({ mode: "number" });
const moment = () => pg.timestamp({ withTimezone: true, mode: "date" });

/** Webhooks that led to something; a redelivery has the GUID of the first attempt. */
export const deliveries = schema.table("deliveries", {
  guid: pg.text().primaryKey(),
  event: pg.text().notNull(),
  receivedAt: moment().notNull().defaultNow(),
});

/** Our own record of each job; the queue only says when one is due. */
export const jobs = schema.table(
  "jobs",
  {
    id: pg.uuid().primaryKey(),
    /** The job of the queue that stands for this one. */
    queueId: pg.uuid().notNull(),
    /** What it is about: at most one queued and one active job share it. */
    key: pg.text().notNull(),
    /** `active` from the first attempt to the end, waiting for another attempt included. */
    state: pg.text({ enum: ["queued", "active", "ended"] }).notNull(),
    installationId: githubId().notNull(),
    repositoryId: githubId().notNull(),
    /** Null for an issue, whose start commit is settled when the job starts. */
    sha: pg.text(),
    /** When `sha` became the newest of its branch, as far as we know. */
    shaSeenAt: moment().notNull(),
    /** What to do, in the job's own schema. */
    work: pg.jsonb().notNull(),
    /** How it has to end, decided from outside while it was active. */
    ending: pg.jsonb(),
    attempts: pg.integer().notNull().default(0),
    /** Attempts that broke or were cut off by a crash. */
    failures: pg.integer().notNull().default(0),
    /** An attempt began and did not report its end. */
    running: pg.boolean().notNull().default(false),
    checkRunId: githubId(),
    commentId: githubId(),
    /** Number of the pull request that the job opened. */
    pullRequest: pg.integer(),
    /** Which failure the job was about, so that a refusal is remembered for it. */
    failure: pg.text(),
    spend: pg.jsonb(),
    /** What a later attempt needs in order to go on where this one stopped. */
    resume: pg.jsonb(),
    outcome: pg.text(),
    reason: pg.text(),
    createdAt: moment().notNull().defaultNow(),
    startedAt: moment(),
    endedAt: moment(),
  },
  (table) => [
    pg.uniqueIndex("jobs_one_queued").on(table.key).where(sql`state = 'queued'`),
    pg.uniqueIndex("jobs_one_active").on(table.key).where(sql`state = 'active'`),
    pg.index("jobs_by_key").on(table.key, table.sha),
    pg.index("jobs_by_repository").on(table.repositoryId, table.createdAt),
  ],
);

/** What was last pushed to the heads of pull requests, as webhooks told. */
export const heads = schema.table(
  "heads",
  {
    installationId: githubId().notNull(),
    repositoryId: githubId().notNull(),
    /** A job's key: the same for every event about the branch. */
    key: pg.text().notNull(),
    sha: pg.text().notNull(),
    pushedAt: moment().notNull(),
    draft: pg.boolean().notNull(),
  },
  (table) => [pg.primaryKey({ columns: [table.key] })],
);

/** Failures for which a person closed our pull request without merging it. */
export const refusals = schema.table(
  "refusals",
  {
    installationId: githubId().notNull(),
    repositoryId: githubId().notNull(),
    failure: pg.text().notNull(),
    pullRequest: pg.integer().notNull(),
    refusedAt: moment().notNull().defaultNow(),
  },
  (table) => [pg.primaryKey({ columns: [table.repositoryId, table.failure] })],
);

/** Repositories in which Autolith has spoken. */
export const repositories = schema.table("repositories", {
  id: githubId().primaryKey(),
  installationId: githubId().notNull(),
  /** Number of the issue or pull request whose comment was the first. */
  greetedOn: pg.integer(),
  greetedAt: moment().notNull().defaultNow(),
});
