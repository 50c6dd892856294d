import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { JobAborted } from "../../src/job/active-job.ts";
import { openSpendBook } from "../../src/job/spend-book.ts";
import { nothingSpent } from "../../src/job/spent-before.ts";
import type { Spent } from "../../src/model/budget.ts";
import type { Store } from "../../src/store/database.ts";
import { findJob, updateAttempt } from "../../src/store/jobs.ts";
import { freshId, storeJob } from "../store/job-row.ts";
import { dialects, useStore } from "../store/use-store.ts";

const never = new AbortController().signal;
const log = pino({ level: "silent" });

/** A run that has paid so many dollars and wants to make a call of at most so many more. */
const wants = (costUsd: number, more: number): Spent => ({
  ...nothingSpent,
  costUsd,
  inFlight: { inputTokens: 1_000, outputTokens: 8_000, costUsd: more },
});

describe.each(dialects)("on %s", (dialect) => {
  const opened = useStore(dialect);

  /** The book of a job that runs in the repository; its first writes fail as the test says. */
  async function bookOf({ database }: Store, repositoryId: number, failures: Error[] = []) {
    const started = { state: "active", attempts: 1, startedAt: new Date() } as const;
    const { id } = await storeJob(database, { repositoryId, key: `${repositoryId}:${freshId()}`, ...started });
    const written: unknown[] = [];
    const book = openSpendBook({
      active: {
        id,
        record: async (progress, transaction = database) => {
          const failure = failures.shift();
          if (failure !== undefined) throw failure;
          written.push(progress.spend);
          await updateAttempt(transaction, { id, attempt: 1 }, progress);
        },
      },
      ...{ repositoryId, database, log, limits: { costPerDayUsd: 10 }, waitsMs: [1, 1] },
    });
    return { book, written, row: async () => (await findJob(database, id))?.spend };
  }

  test("a call is in the job's record before it is made, and what was settled follows in order", async () => {
    const { book, row, written } = await bookOf(opened(), freshId());
    expect(await book.reserve(wants(1, 0.5), never)).toBeNull();
    expect(await row()).toEqual(wants(1, 0.5));
    const settled = { ...nothingSpent, costUsd: 1.2, wallTimeMs: 1_000 };
    book.settle(settled);
    expect(await book.reserve(wants(1.2, 0.5), never)).toBeNull();
    expect(written).toEqual([wants(1, 0.5), settled, wants(1.2, 0.5)]);
    await book.close({ ...settled, wallTimeMs: 2_000 });
    expect(await row()).toEqual({ ...settled, wallTimeMs: 2_000 });
  });

  test("two runs of a repository do not both take its last dollar, however they meet", async () => {
    const repositoryId = freshId();
    const runs = await Promise.all([1, 2, 3, 4].map(() => bookOf(opened(), repositoryId)));
    const answers = await Promise.all(runs.map(({ book }) => book.reserve(wants(0, 4), never)));
    expect(answers.filter((answer) => answer === null)).toHaveLength(2);
    expect(answers.filter((answer) => answer !== null)).toEqual(
      Array(2).fill({
        limit: "cost",
        detail: "the repository has spent $8.00 of its $10.00 of 24 hours, the next call may need $4.00 more",
      }),
    );
  });

  test("a call that a dead process left open counts against the repository's day", async () => {
    const repositoryId = freshId();
    const dead = await bookOf(opened(), repositoryId);
    await dead.book.reserve(wants(5, 3), never);
    const { book } = await bookOf(opened(), repositoryId);
    expect(await book.reserve(wants(0, 2.5), never)).toMatchObject({ limit: "cost" });
    expect(await book.reserve(wants(0, 2), never)).toBeNull();
  });

  test("where the price is unknown the day's limit is off", async () => {
    const { book } = await bookOf(opened(), freshId());
    const unpriced = { ...wants(0, 0), costUsd: null };
    expect(await book.reserve(unpriced, never)).toBeNull();
  });

  test("an attempt that lost its claim makes no call", async () => {
    const { book } = await bookOf(opened(), freshId(), [new JobAborted("lost")]);
    await expect(book.reserve(wants(0, 1), never)).rejects.toThrow(JobAborted);
  });

  test("a database that is away for a moment does not end the run; without a record there is no call", async () => {
    const away = () => new Error("connection lost");
    const { book, row } = await bookOf(opened(), freshId(), [away(), away()]);
    expect(await book.reserve(wants(0, 1), never)).toBeNull();
    expect(await row()).toEqual(wants(0, 1));
    const gone = await bookOf(opened(), freshId(), [away(), away(), away()]);
    await expect(gone.book.reserve(wants(0, 1), never)).rejects.toThrow("connection lost");
  });
});
