import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { activeJob } from "../../src/job/active-job.ts";
import { claimJob } from "../../src/job/claim.ts";
import { type FixJob, keyOf } from "../../src/job/job.ts";
import { limitReached } from "../../src/job/limits-reached.ts";
import { nothingSpent } from "../../src/job/spent-before.ts";
import { defaultBudgetLimits } from "../../src/model/budget.ts";
import { findJob, insertJob, type NewJobRow } from "../../src/store/jobs.ts";
import { command, fixJob, freshRepository, sha } from "./fix-job.ts";
import { dialects, useQueue } from "./use-queue.ts";

const limits = {
  budget: defaultBudgetLimits,
  testRunMs: 1,
  installMs: 1,
  executionMs: 1,
  runsPerPullRequest: 3,
  runsPerDay: 5,
  costPerDayUsd: 10,
};

const onBranch = { kind: "branch", branch: "topic", pullRequest: 7 } as const;
const onMain = { kind: "branch", branch: "main", pullRequest: null } as const;
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);

describe.each(dialects)("on %s", (dialect) => {
  const opened = useQueue(dialect);

  async function store(job: FixJob, fields: Partial<NewJobRow>): Promise<string> {
    const id = randomUUID();
    await insertJob(opened().store.database, {
      id,
      queueId: randomUUID(),
      key: keyOf(job.repository.id, job.subject),
      state: "ended",
      installationId: 1,
      repositoryId: job.repository.id,
      sha: sha("a"),
      shaSeenAt: new Date(),
      work: job,
      ...fields,
    });
    return id;
  }

  /** Lets so many jobs of the same subject run, and gives what the last of them meets, as often as it is attempted. */
  async function scene(job: FixJob, runs: number, costUsd = 0, startedAt = hoursAgo(1)) {
    const { database } = opened().store;
    for (let run = 1; run < runs; run += 1) await store(job, { startedAt, spend: { ...nothingSpent, costUsd } });
    const id = await store(job, { state: "queued" });
    const attempt = async () => {
      const claimed = await claimJob(opened(), id);
      if (claimed.kind !== "run") throw new Error(`the job is ${claimed.kind}`);
      return limitReached(activeJob(database, claimed.row), job, { database, limits }, new Date());
    };
    return { id, attempt };
  }

  const met = async (...parts: Parameters<typeof scene>) => (await scene(...parts)).attempt();

  test("a pull request has three runs that nobody asked for", async () => {
    expect(await met(fixJob({ repositoryId: freshRepository(), subject: onBranch }), 3)).toBeNull();
    expect(await met(fixJob({ repositoryId: freshRepository(), subject: onBranch }), 4)).toMatch(
      /^runs: the pull request/,
    );
  });

  test("who asks gets another run, and the default branch is no pull request", async () => {
    const asked = fixJob({ repositoryId: freshRepository(), subject: onBranch, causes: [command(1)] });
    expect(await met(asked, 4)).toBeNull();
    expect(await met(fixJob({ repositoryId: freshRepository(), subject: onMain }), 4)).toBeNull();
  });

  test("a repository's runs and dollars of 24 hours are limited, whoever asks", async () => {
    const asked = { subject: onMain, causes: [command(1)] };
    expect(await met(fixJob({ repositoryId: freshRepository(), ...asked }), 6)).toMatch(/^runs: the repository/);
    expect(await met(fixJob({ repositoryId: freshRepository(), ...asked }), 3, 5)).toMatch(/^cost: .*\$10\.00/);
    expect(await met(fixJob({ repositoryId: freshRepository(), ...asked }), 6, 5, hoursAgo(25))).toBeNull();
  });

  test("a job that was let in and broke off is not held against the limits of runs, whatever ran meanwhile", async () => {
    const job = fixJob({ repositoryId: freshRepository(), subject: onBranch });
    const { id, attempt } = await scene(job, 3);
    expect(await attempt()).toBeNull();
    expect((await findJob(opened().store.database, id))?.spend).toEqual(nothingSpent);
    const other = { ...job, subject: { ...onBranch, branch: "other" } };
    expect(await met(other, 3)).toMatch(/^runs: the repository/);
    for (const subject of [job, other]) await store(subject, { startedAt: hoursAgo(0), spend: nothingSpent });
    expect(await attempt()).toBeNull();
  });

  test("what it spent itself, a call that was cut off included, counts when it goes on", async () => {
    const { database } = opened().store;
    const job = fixJob({ repositoryId: freshRepository(), subject: onMain });
    const { id, attempt } = await scene(job, 2, 4);
    expect(await attempt()).toBeNull();
    const inFlight = { inputTokens: 1, outputTokens: 1, costUsd: 3 };
    const row = await findJob(database, id);
    if (row === null) throw new Error("the job is gone");
    await activeJob(database, row).record({ spend: { ...nothingSpent, costUsd: 3, inFlight } });
    expect(await attempt()).toMatch(/^cost: /);
  });

  test("a job that was turned away does not count: the limit opens again though people go on pushing", async () => {
    const job = fixJob({ repositoryId: freshRepository(), subject: onMain });
    for (let refused = 0; refused < 10; refused += 1) {
      await store(job, { startedAt: hoursAgo(1), outcome: "exhausted" });
    }
    expect(await met(job, 5)).toBeNull();
  });

  test("of jobs that start at the same time as many are let in as the limit allows", async () => {
    const repositoryId = freshRepository();
    const branches = ["a", "b", "c", "d"].map((branch) => ({ kind: "branch", branch, pullRequest: 7 }) as const);
    const jobs = await Promise.all(branches.map((subject) => scene(fixJob({ repositoryId, subject }), 2)));
    const answers = await Promise.all(jobs.map(({ attempt }) => attempt()));
    expect(answers.filter((answer) => answer === null)).toHaveLength(1);
  });
});
