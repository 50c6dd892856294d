import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { messageOf } from "../errors.ts";
import type { Exhaustion, SpendBook, Spent } from "../model/budget.ts";
import type { Database } from "../store/database.ts";
import { lockSpend, repositoryUsage } from "../store/usage.ts";
import { type ActiveJob, JobAborted } from "./active-job.ts";
import type { FixLimits } from "./fix-services.ts";
import { dayBefore } from "./limits-reached.ts";

export interface SpendBookOptions {
  readonly active: Pick<ActiveJob, "id" | "record">;
  readonly repositoryId: number;
  readonly database: Database;
  readonly limits: Pick<FixLimits, "costPerDayUsd">;
  readonly log: Logger;
  /** Waits between tries to write down a call, in milliseconds; about half a minute in all by default. */
  readonly waitsMs?: readonly number[];
}

export interface JobSpendBook extends SpendBook {
  /** Writes down what the attempt took in the end. Rejects when it could not, or when the claim is lost. */
  close(spent: Spent): Promise<void>;
}

const defaultWaitsMs = [500, 1_000, 2_000, 4_000, 8_000, 15_000];

/**
 * Keeps what a run spends in its job's record. A call is written down before it is made, in one transaction with the look at what
 * the repository's other runs spend, so that no two of them take the same last dollar. A database that is away for a moment
 * does not end a run that has cost money; without a record there is no call. An attempt that lost its claim spends nothing more.
 */
export function openSpendBook(options: SpendBookOptions): JobSpendBook {
  const { active, log, waitsMs = defaultWaitsMs } = options;
  // One after another, so that nothing old is written over something new.
  let writing: Promise<unknown> = Promise.resolve();
  return {
    reserve: async (spent, signal) => {
      await writing;
      for (const waitMs of [...waitsMs, null]) {
        try {
          return await reserve(options, spent);
        } catch (error) {
          if (error instanceof JobAborted || waitMs === null) throw error;
          log.warn({ jobId: active.id, reason: messageOf(error) }, "a model call could not be written down yet");
          await wait(waitMs, signal);
        }
      }
      throw new Error("unreachable: the last try gives an answer or an error");
    },
    settle: (spent) => {
      writing = writing
        .then(() => active.record({ spend: spent }))
        .catch((error: unknown) => {
          log.warn({ jobId: active.id, reason: messageOf(error) }, "the spend was not written down");
        });
    },
    close: async (spent) => {
      await writing;
      await active.record({ spend: spent });
    },
  };
}

function reserve(options: SpendBookOptions, spent: Spent): Promise<Exhaustion | null> {
  const { active, repositoryId, database, limits } = options;
  return database.transaction(async (transaction) => {
    await lockSpend(transaction, repositoryId);
    const others = await repositoryUsage(transaction, repositoryId, dayBefore(new Date()), active.id);
    const exhaustion = dayExhausted(others.costUsd, spent, limits.costPerDayUsd);
    if (exhaustion === null) await active.record({ spend: spent }, transaction);
    return exhaustion;
  });
}

/** What is reserved counts whole, so that runs at the same time pass the limit by the answer of one of them at most. */
function dayExhausted(othersUsd: number, { costUsd, inFlight }: Spent, limitUsd: number): Exhaustion | null {
  if (costUsd === null || othersUsd + costUsd + (inFlight?.costUsd ?? 0) <= limitUsd) return null;
  const spent = `the repository has spent $${(othersUsd + costUsd).toFixed(2)} of its $${limitUsd.toFixed(2)} of 24 hours`;
  return { limit: "cost", detail: `${spent}, the next call may need $${(inFlight?.costUsd ?? 0).toFixed(2)} more` };
}

async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}
