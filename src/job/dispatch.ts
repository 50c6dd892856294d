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

  /** Hands a job to the queue and gives the queue's id for it. */
  async send(database: Database, jobId: string, key: string, delaySeconds: number): Promise<string> {
    const options = { singletonKey: key, startAfter: delaySeconds, db: fromDrizzle(database, sql) };
    const id = await this.#boss.send(fixQueue, { jobId }, options);
    if (id === null) throw new AutolithError("infrastructure", `the queue already holds a waiting job for ${key}`);
    return id;
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
