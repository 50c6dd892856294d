import { sql } from "drizzle-orm";
import { fromDrizzle, type PgBoss } from "pg-boss";
import { z } from "zod";
import { AutolithError } from "../errors.ts";
import type { Database } from "../store/database.ts";
import { fixQueue, intakeQueue } from "./boss.ts";
import type { Intake } from "./intake.ts";

/** What pg-boss keeps for a job of ours; everything else is in our record. */
export const ticketSchema = z.object({ jobId: z.uuid() });

/** One claim of a job by a worker: when it lapsed, whatever is said through it has no effect. */
export interface Claim {
  readonly id: string;
  readonly retryCount: number;
}

/**
 * What is said to pg-boss in a transaction of ours. Delays are in seconds and counted by the database, so that "now" means at once
 * and wakes a worker. A plain call of pg-boss inside a transaction would hang on PGlite and escape the transaction on PostgreSQL.
 */
export class Dispatch {
  readonly #boss: PgBoss;

  constructor(boss: PgBoss) {
    this.#boss = boss;
  }

  /** Hands a job to the queue and gives the queue's id for it. Of the jobs that are due, those with the earliest turn start first. */
  async send(database: Database, jobId: string, key: string, delaySeconds: number, turn = 0): Promise<string> {
    const options = { singletonKey: key, startAfter: delaySeconds, priority: -turn, db: fromDrizzle(database, sql) };
    const id = await this.#boss.send(fixQueue, { jobId }, options);
    if (id === null) throw new AutolithError("infrastructure", `the queue already holds a waiting job for ${key}`);
    return id;
  }

  /**
   * The turn of a repository's next job, so that one with many jobs does not keep others waiting: after the repository's own open jobs,
   * but not before the latest turn that has begun, so that everybody's turn comes (start-time fair queueing,
   * Goyal, Vin and Cheng 1997). Two requests at once may get the same turn.
   */
  async nextTurn(database: Database, repositoryId: number): Promise<number> {
    const { rows } = await database.execute(sql`
      select coalesce(max(-held.priority), 0)::int as latest
      from autolith_queue.job held left join autolith.jobs ours on ours.queue_id = held.id
      where held.name = ${fixQueue}
        and (held.started_on is not null or (ours.repository_id = ${repositoryId} and ours.state <> 'ended'))`);
    return z.object({ latest: z.number() }).parse(rows[0]).latest + 1;
  }

  /** Moves the start of a job that waits, for the first time or again; one that runs is left alone. */
  async reschedule(database: Database, queueId: string, delaySeconds: number): Promise<void> {
    const options = { id: queueId, startAfter: delaySeconds, db: fromDrizzle(database, sql) };
    await this.#boss.update(fixQueue, undefined, options);
  }

  async cancel(database: Database, queueId: string): Promise<void> {
    await this.#boss.cancel(fixQueue, queueId, { db: fromDrizzle(database, sql) });
  }

  /** Ends a claim, for good. */
  async complete(database: Database, claim: Claim): Promise<void> {
    await this.#boss.complete(fixQueue, claim, null, { db: fromDrizzle(database, sql) });
  }

  /** Ends a claim and lets the job start again later. */
  async handBack(database: Database, claim: Claim, delaySeconds: number): Promise<void> {
    await this.#boss.fail(fixQueue, claim, null, { db: fromDrizzle(database, sql) });
    await this.reschedule(database, claim.id, delaySeconds);
  }

  async sendIntake(database: Database, intake: Intake, delaySeconds = 0): Promise<void> {
    await this.#boss.send(intakeQueue, intake, { startAfter: delaySeconds, db: fromDrizzle(database, sql) });
  }
}
