import { describe, expect, test } from "vitest";
import { recordDraft, recordPush } from "../../src/store/heads.ts";
import * as jobs from "../../src/store/jobs.ts";
import { findProposal } from "../../src/store/proposals.ts";
import { isRefused, recordRefusal, withdrawRefusal } from "../../src/store/refusals.ts";
import { forgetRepositories, isGreetedOn } from "../../src/store/repositories.ts";
import { findStanding } from "../../src/store/standing.ts";
import { keyUsage, repositoryUsage } from "../../src/store/usage.ts";
import { freshId, storeJob } from "./job-row.ts";
import { dialects, useStore } from "./use-store.ts";

describe.each(dialects)("on %s", (dialect) => {
  const opened = useStore(dialect);

  test("runs and money are counted as numbers, by repository since a moment and by key", async () => {
    const { database } = opened();
    const repositoryId = freshId();
    const spent = (startedAt: string, costUsd: number | null) =>
      ({ repositoryId, state: "ended", startedAt: new Date(startedAt), spend: { costUsd } }) as const;
    const { key } = await storeJob(database, spent("2026-03-01T10:00:00Z", 0.25));
    await storeJob(database, spent("2026-03-02T10:00:00Z", 1.5));
    await storeJob(database, spent("2026-03-02T11:00:00Z", null));
    await storeJob(database, { ...spent("2026-03-02T12:00:00Z", 0.5), outcome: "stale" });
    await storeJob(database, { repositoryId });
    const since = new Date("2026-03-02T00:00:00Z");
    expect(await repositoryUsage(database, repositoryId, since)).toEqual({ runs: 3, costUsd: 2 });
    expect(await keyUsage(database, key)).toEqual({ runs: 3, costUsd: 1.75 });
    expect(await repositoryUsage(database, freshId(), since)).toEqual({ runs: 0, costUsd: 0 });
  });

  test("a repair that was proposed for a failure of a commit is found again", async () => {
    const { database } = opened();
    const repositoryId = freshId();
    const ended = { repositoryId, state: "ended", failure: "f", pullRequest: 7 } as const;
    const { sha } = await storeJob(database, ended);
    const of = (failure: string, commit = sha ?? "") => findProposal(database, { repositoryId, failure, sha: commit });
    expect([await of("f"), await of("g"), await of("f", "b".repeat(40))]).toEqual([7, null, null]);
  });

  test("the head of a pull request is the one that was pushed last, in whatever order that is told", async () => {
    const { database } = opened();
    const repositoryId = freshId();
    const head = (sha: string, pushedAt: string, draft = false) => ({
      installationId: 1,
      repositoryId,
      key: `${repositoryId}:refs/heads/fix`,
      sha: sha.repeat(40),
      pushedAt: new Date(pushedAt),
      draft,
    });
    expect(await recordPush(database, head("b", "2026-01-01T12:00:00Z"))).toBe(true);
    expect(await recordPush(database, head("a", "2026-01-01T11:00:00Z"))).toBe(false);
    await recordDraft(database, head("c", "2026-01-01T10:00:00Z", true));
    const known = async (headKey: string) => (await findStanding(database, { key: headKey, sha: null, headKey })).head;
    expect(await known(`${repositoryId}:refs/heads/fix`)).toEqual(head("b", "2026-01-01T12:00:00Z", true));
    expect(await known("elsewhere")).toBeNull();
  });

  test("a refusal is remembered for the failure of our own pull request, until it is withdrawn", async () => {
    const { database } = opened();
    const { repositoryId } = await storeJob(database, { state: "ended", pullRequest: 12, failure: "test_sum" });
    const ours = { repositoryId, pullRequest: 12 };
    expect(await recordRefusal(database, { repositoryId, pullRequest: 13 })).toBe(false);
    expect(await isRefused(database, repositoryId, "test_sum")).toBe(false);
    expect(await recordRefusal(database, ours)).toBe(true);
    expect(await recordRefusal(database, ours)).toBe(true);
    expect(await isRefused(database, repositoryId, "test_sum")).toBe(true);
    expect(await isRefused(database, repositoryId, "test_product")).toBe(false);
    await withdrawRefusal(database, ours);
    expect(await isRefused(database, repositoryId, "test_sum")).toBe(false);
  });

  test("a repository is greeted on one pull request, however often", async () => {
    const { database } = opened();
    const repository = { id: freshId(), installationId: 1 };
    expect(await isGreetedOn(database, repository, 7)).toBe(true);
    expect(await isGreetedOn(database, repository, 8)).toBe(false);
    expect(await isGreetedOn(database, repository, 7)).toBe(true);
  });

  test("what is stored about lost repositories is forgotten, and nothing else", async () => {
    const { database } = opened();
    const installationId = freshId();
    const [lost, kept] = [freshId(), freshId()];
    for (const repositoryId of [lost, kept]) {
      await storeJob(database, { installationId, repositoryId, state: "ended", pullRequest: 1, failure: "f" });
      await recordRefusal(database, { repositoryId, pullRequest: 1 });
      await isGreetedOn(database, { id: repositoryId, installationId }, 1);
    }
    const open = await storeJob(database, { installationId, repositoryId: lost });
    await forgetRepositories(database, { installationId, repositoryIds: [lost] });
    expect(await isRefused(database, lost, "f")).toBe(false);
    expect(await isRefused(database, kept, "f")).toBe(true);
    expect(await isGreetedOn(database, { id: lost, installationId }, 2)).toBe(true);
    const standing = await findStanding(database, { key: open.key, sha: "a".repeat(40), headKey: open.key });
    expect(standing).toMatchObject({ queued: { id: open.id }, ended: [] });
    expect(
      (await jobs.findJobsNotEnded(database, { installationId, repositoryIds: "all" })).map(({ id }) => id),
    ).toEqual([open.id]);
    await forgetRepositories(database, { installationId, repositoryIds: "all" });
    expect(await isRefused(database, kept, "f")).toBe(false);
  });
});
