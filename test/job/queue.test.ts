import { describe, expect, test } from "vitest";
import { fixQueue, intakeQueue } from "../../src/job/boss.ts";
import type { Intake } from "../../src/job/intake.ts";
import { findJob, findJobsNotEnded, updateJob } from "../../src/store/jobs.ts";
import { isRefused } from "../../src/store/refusals.ts";
import { check, command, fixJob, sha } from "./fix-job.ts";
import { branch, delivery, drafted, pushed, queueScene } from "./queue-scene.ts";
import { dialects, useQueue } from "./use-queue.ts";

describe.each(dialects)("on %s", (dialect) => {
  const opened = useQueue(dialect);

  const scene = () => queueScene(opened());

  test("a failed check makes a job that starts after the debounce", async () => {
    const { ask, wait } = scene();
    expect(await ask()).toMatchObject({ kind: "queued" });
    expect(await wait()).toBeGreaterThan(80);
    expect(await wait()).toBeLessThanOrEqual(90);
  });

  test("the same delivery many times at once makes one job, and all are told that it is known", async () => {
    const { queue, repositoryId, open } = scene();
    const once = delivery();
    const change = { kind: "fix", job: fixJob({ repositoryId }) } as const;
    const effects = await Promise.all(Array.from({ length: 8 }, () => queue.accept(once, change)));
    expect(effects.filter(({ kind }) => kind === "queued")).toHaveLength(1);
    expect(effects.filter(({ kind }) => kind === "ignored")).toEqual(
      Array(7).fill({ kind: "ignored", reason: "known" }),
    );
    expect((await open()).queued).not.toBeNull();
  });

  test("thirty failing checks of a commit at once make one job that names them all", async () => {
    const { queue, repositoryId, causes } = scene();
    const cells = Array.from({ length: 30 }, (_, cell) =>
      fixJob({ repositoryId, causes: [check(`test (${cell})`, cell + 1)] }),
    );
    const effects = await Promise.all(cells.map((job) => queue.accept(delivery(), { kind: "fix", job })));
    expect(effects.filter(({ kind }) => kind === "queued")).toHaveLength(1);
    expect(effects.filter(({ kind }) => kind === "joined")).toHaveLength(29);
    expect(await causes()).toHaveLength(30);
    expect(
      await findJobsNotEnded(queue.store.database, { installationId: 42, repositoryIds: [repositoryId] }),
    ).toHaveLength(1);
  });

  test("a check and a command about one commit make one job, which starts at once", async () => {
    const { ask, wait, causes } = scene();
    await ask();
    expect(await ask({ causes: [command(1)] })).toMatchObject({ kind: "joined" });
    expect(await wait()).toBeLessThanOrEqual(0);
    expect(await causes()).toEqual([command(1), check("test")]);
  });

  test("a completed suite starts the job of its commit, and no other", async () => {
    const { queue, repositoryId, ask, wait } = scene();
    await ask();
    await queue.accept(delivery(), { kind: "complete", repositoryId, subject: branch, sha: sha("f") });
    expect(await wait()).toBeGreaterThan(80);
    await queue.accept(delivery(), { kind: "complete", repositoryId, subject: branch, sha: sha("a") });
    expect(await wait()).toBeLessThanOrEqual(0);
  });

  test("a newer commit takes over the job that waits, and its time starts again", async () => {
    const { ask, wait, open } = scene();
    await ask({ causes: [command(1)] });
    const before = (await open()).queued;
    await ask({ sha: sha("b"), shaSeenAt: "2026-05-01T13:00:00Z" });
    expect((await open()).queued).toMatchObject({ id: before?.id, sha: sha("b") });
    expect(await wait()).toBeGreaterThan(80);
  });

  test("a newer commit tells the job that runs to end, and waits for it", async () => {
    const { ask, open, begin } = scene();
    await ask();
    const id = await begin();
    await ask({ sha: sha("b"), shaSeenAt: "2026-05-01T13:00:00Z" });
    expect(await open()).toMatchObject({
      active: { id, sha: sha("a"), ending: { cause: "superseded", outcome: "stale" } },
      queued: { sha: sha("b") },
    });
  });

  test("closing the pull request ends the job that waits and tells the one that runs", async () => {
    const { queue, repositoryId, ask, open, begin } = scene();
    await ask();
    const id = await begin();
    await ask({ sha: sha("b"), shaSeenAt: "2026-05-01T13:00:00Z" });
    const waiting = (await open()).queued;
    await updateJob(queue.store.database, id, { ending: null });
    await queue.accept(delivery(), { kind: "cancel", repositoryId, subject: branch, cause: "closed" });
    expect(await findJob(queue.store.database, waiting?.id ?? "")).toMatchObject({
      state: "ended",
      outcome: "cancelled",
      reason: "the pull request was closed",
    });
    expect((await open()).active).toMatchObject({ id, ending: { cause: "closed", outcome: "cancelled" } });
    const [inQueue] = await queue.boss.findJobs(fixQueue, { id: waiting?.queueId ?? "" });
    expect(inQueue?.state).toBe("cancelled");
  });

  test("the first ending that was decided stays, unless nothing may be said any more", async () => {
    const { queue, repositoryId, ask, open, begin } = scene();
    await ask();
    await begin();
    for (const cause of ["stopped", "closed"] as const) {
      await queue.apply({ kind: "cancel", repositoryId, subject: branch, cause });
    }
    expect((await open()).active).toMatchObject({ ending: { cause: "stopped" } });
    await queue.apply({ kind: "lost", installationId: 42, repositoryIds: [repositoryId], forget: false });
    expect((await open()).active).toMatchObject({ ending: { cause: "suspended" } });
  });

  test("a push ends the jobs of older commits, before any check of the new one fails", async () => {
    const { queue, repositoryId, ask, open } = scene();
    await ask();
    await queue.accept(delivery(), pushed(repositoryId, "b", "2026-05-01T12:30:00Z"));
    expect(await open()).toEqual({ queued: null, active: null });
    expect(await ask({ causes: [check("late")] })).toEqual({ kind: "ignored", reason: "older-commit" });
  });

  test("a push that is told late does not end the job of the newer commit", async () => {
    const { queue, repositoryId, ask, open } = scene();
    await ask({ sha: sha("c"), shaSeenAt: "2026-05-01T14:00:00Z" });
    await queue.accept(delivery(), pushed(repositoryId, "b", "2026-05-01T12:30:00Z"));
    expect((await open()).queued).toMatchObject({ sha: sha("c") });
  });

  test("a push ends the job of a command that was given before it, even about the same commit", async () => {
    const { queue, repositoryId, ask, open } = scene();
    await ask({ sha: sha("b"), causes: [command(1, "2026-05-01T12:29:00Z")] });
    await queue.accept(delivery(), pushed(repositoryId, "b", "2026-05-01T12:30:00Z"));
    expect(await open()).toEqual({ queued: null, active: null });
  });

  test("a draft is left alone until it is ready", async () => {
    const { queue, repositoryId, ask } = scene();
    await queue.accept(delivery(), drafted(repositoryId, true));
    expect(await ask()).toEqual({ kind: "ignored", reason: "draft" });
    await queue.accept(delivery(), drafted(repositoryId, false));
    expect(await ask()).toMatchObject({ kind: "queued" });
  });

  test("what cannot be stored is not seen, so that it can be delivered again", async () => {
    const { queue, repositoryId, open } = scene();
    const once = delivery();
    const spoiled = fixJob({ repositoryId, causes: [command(1, "2026-05-01T12:10:00Z", "a\u0000b")] });
    await expect(queue.accept(once, { kind: "fix", job: spoiled })).rejects.toThrow();
    expect(await open()).toEqual({ queued: null, active: null });
    expect(await queue.accept(once, { kind: "fix", job: fixJob({ repositoryId }) })).toMatchObject({ kind: "queued" });
  });

  test("removing the App ends all jobs there, running ones too, and forgets the rest", async () => {
    const { queue, repositoryId, ask, open, begin } = scene();
    await ask();
    const id = await begin();
    await updateJob(queue.store.database, id, { pullRequest: 3, failure: "f" });
    await queue.apply({ kind: "refusal", repositoryId, pullRequest: 3, refused: true });
    await queue.accept(delivery(), { kind: "lost", installationId: 42, repositoryIds: [repositoryId], forget: true });
    expect((await open()).active).toMatchObject({ id, ending: { cause: "uninstalled" } });
    expect(await isRefused(queue.store.database, repositoryId, "f")).toBe(false);
  });

  test("a suspension ends the jobs and keeps what is remembered", async () => {
    const { queue, repositoryId, ask, begin, open } = scene();
    await ask();
    const id = await begin();
    await updateJob(queue.store.database, id, { pullRequest: 3, failure: "f" });
    await queue.apply({ kind: "refusal", repositoryId, pullRequest: 3, refused: true });
    await queue.accept(delivery(), { kind: "lost", installationId: 42, repositoryIds: "all", forget: false });
    expect((await open()).active).toMatchObject({ ending: { cause: "suspended" } });
    expect(await isRefused(queue.store.database, repositoryId, "f")).toBe(true);
  });

  test("a pull request that is opened again is no refusal any more", async () => {
    const { queue, repositoryId, ask, begin } = scene();
    await ask();
    await updateJob(queue.store.database, await begin(), { pullRequest: 3, failure: "f" });
    await queue.apply({ kind: "refusal", repositoryId, pullRequest: 3, refused: true });
    await queue.apply({ kind: "refusal", repositoryId, pullRequest: 3, refused: false });
    expect(await isRefused(queue.store.database, repositoryId, "f")).toBe(false);
  });

  test("what GitHub has to be asked first waits in a queue of its own, ready at once", async () => {
    const { queue, repositoryId } = scene();
    const intake: Intake = {
      kind: "commit",
      installationId: 42,
      repository: { id: repositoryId, owner: "octo", name: "shop", defaultBranch: "main" },
      sha: sha("a"),
      shaSeenAt: "2026-05-01T12:00:00Z",
      cause: check("test"),
    };
    expect(await queue.accept(delivery(), { kind: "intake", intake })).toEqual({ kind: "accepted" });
    const fetched = await queue.boss.fetch<Intake>(intakeQueue, { batchSize: 50 });
    expect(fetched.map(({ data }) => data)).toContainEqual(intake);
  });
});
