import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { type FixJob, keyOf } from "../../src/job/job.ts";
import { limitReached } from "../../src/job/limits-reached.ts";
import { defaultBudgetLimits } from "../../src/model/budget.ts";
import { insertJob } from "../../src/store/jobs.ts";
import { useStore } from "../store/use-store.ts";
import { command, fixJob, freshRepository, sha } from "./fix-job.ts";

const store = useStore("pglite");

const limits = {
  budget: defaultBudgetLimits,
  testRunMs: 1,
  executionMs: 1,
  runsPerPullRequest: 3,
  runsPerDay: 5,
  costPerDayUsd: 10,
};

const now = new Date("2026-05-02T12:00:00Z");
const onBranch = { kind: "branch", branch: "topic", pullRequest: 7 } as const;
const onMain = { kind: "branch", branch: "main", pullRequest: null } as const;

/** What the job meets after so many runs of its own subject, itself included. */
async function met(job: FixJob, runs: number, costUsd = 0, startedAt = now): Promise<string | null> {
  const { database } = store();
  for (let run = 0; run < runs; run += 1) {
    await insertJob(database, {
      id: randomUUID(),
      queueId: randomUUID(),
      key: keyOf(job.repository.id, job.subject),
      state: "ended",
      installationId: 1,
      repositoryId: job.repository.id,
      sha: sha("a"),
      shaSeenAt: startedAt,
      work: job,
      startedAt,
      spend: { costUsd },
    });
  }
  return limitReached(job, { database, limits }, now);
}

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
  expect(await met(fixJob({ repositoryId: freshRepository(), ...asked }), 2, 5)).toMatch(/^cost: .*\$10\.00/);
  const yesterday = new Date("2026-05-01T11:00:00Z");
  expect(await met(fixJob({ repositoryId: freshRepository(), ...asked }), 6, 5, yesterday)).toBeNull();
});
