import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import type { ActiveJob, JobEnd } from "../../src/job/active-job.ts";
import { fixQueue } from "../../src/job/boss.ts";
import type { Intake } from "../../src/job/intake.ts";
import { keyOf } from "../../src/job/job.ts";
import { startWorker } from "../../src/job/worker.ts";
import { findJob, findJobsNotEnded } from "../../src/store/jobs.ts";
import { check, command, fixJob, freshRepository, sha } from "./fix-job.ts";
import { branch } from "./queue-scene.ts";
import { hangs, opens, ScriptedHandlers } from "./scripted-handlers.ts";
import { dialects, useQueue } from "./use-queue.ts";
import { silent, soon, workerScene } from "./worker-scene.ts";

vi.setConfig({ testTimeout: 20_000 });

describe.each(dialects)("on %s", (dialect) => {
  const opened = useQueue(dialect, 0);

  test("a newer commit ends the job that runs before its own job starts", async () => {
    const handlers = new ScriptedHandlers([hangs, opens]);
    const { ask, until } = await workerScene(opened(), handlers, 2);
    const older = await ask();
    await handlers.called(1);
    const newer = await ask({ sha: sha("b"), shaSeenAt: "2026-05-01T13:00:00Z" });
    await until(newer, { state: "ended", outcome: "opened" });
    await until(older, { state: "ended", outcome: "stale", reason: "a newer commit was pushed" });
    expect(handlers.calls).toEqual(["run 1", "close stale: a newer commit was pushed", "run 1"]);
  });

  test("stopping ends the job that runs, also when it reports that itself", async () => {
    const endsItself = async (_job: unknown, signal: AbortSignal): Promise<JobEnd> => {
      await delay(10_000, undefined, { signal }).catch(() => {});
      return { kind: "ended", outcome: "cancelled", reason: "cancelled before it was done" };
    };
    const handlers = new ScriptedHandlers([endsItself]);
    const { ask, until, end } = await workerScene(opened(), handlers);
    const id = await ask();
    await handlers.called(1);
    await end();
    await until(id, { state: "ended", outcome: "cancelled", reason: "stopped by a command" });
    expect(handlers.calls).toEqual(["run 1", "close cancelled: stopped by a command"]);
  });

  test("a job that succeeds in the moment in which it is stopped has succeeded", async () => {
    const handlers = new ScriptedHandlers([
      async (job, signal) => {
        await hangs(job, signal).catch(() => {});
        return { kind: "ended", outcome: "opened", reason: "opened #8" };
      },
    ]);
    const { ask, until, end } = await workerScene(opened(), handlers);
    const id = await ask();
    await handlers.called(1);
    await end();
    await until(id, { state: "ended", outcome: "opened" });
    expect(handlers.calls).toEqual(["run 1"]);
  });

  test("removing the App ends the job that runs without a word, and its record goes", async () => {
    const handlers = new ScriptedHandlers([hangs]);
    const { queue, repositoryId, ask } = await workerScene(opened(), handlers);
    const id = await ask();
    await handlers.called(1);
    await queue.apply({ kind: "lost", installationId: 42, repositoryIds: [repositoryId], forget: true });
    await vi.waitFor(async () => expect(await findJob(queue.store.database, id)).toBeNull(), soon);
    expect(handlers.calls).toEqual(["run 1"]);
  });

  test("a suspension ends the job that runs without a word, and its record stays", async () => {
    const handlers = new ScriptedHandlers([hangs]);
    const { queue, repositoryId, ask, until } = await workerScene(opened(), handlers);
    const id = await ask();
    await handlers.called(1);
    await queue.apply({ kind: "lost", installationId: 42, repositoryIds: [repositoryId], forget: false });
    await until(id, { state: "ended", outcome: "cancelled", reason: "the App was suspended" });
    expect(handlers.calls).toEqual(["run 1"]);
  });

  test("a shutdown hands jobs back, and the next worker goes on with them", async () => {
    const handlers = new ScriptedHandlers([hangs]);
    const { ask, until, row, start, stop } = await workerScene(opened(), handlers);
    const id = await ask();
    await handlers.called(1);
    await stop();
    expect(await row(id)).toMatchObject({ state: "active", running: false, failures: 0, ending: null });
    const next = new ScriptedHandlers([opens]);
    await start(next);
    await until(id, { state: "ended", outcome: "opened", attempts: 2, failures: 0 });
    expect([handlers.calls, next.calls]).toEqual([["run 1"], ["run 2"]]);
  });

  test("a shutdown does not wait longer than it was given for a job that does not end", async () => {
    const handlers = new ScriptedHandlers([
      () => delay(1_500).then(() => ({ kind: "ended", outcome: "opened", reason: "" })),
    ]);
    const queue = opened();
    const worker = await startWorker({ queue, handlers, log: silent, concurrency: 1 });
    await queue.apply({ kind: "fix", job: fixJob({ repositoryId: freshRepository() }) });
    await handlers.called(1);
    const start = performance.now();
    await worker.stop(100);
    expect(performance.now() - start).toBeLessThan(1_000);
    await vi.waitFor(() => expect(queue.boss.getWipData()).toEqual([]), soon);
  });

  test("jobs of different branches run side by side, those of one branch one after the other", async () => {
    const handlers = new ScriptedHandlers([hangs, hangs, opens]);
    const { queue, repositoryId, ask, until } = await workerScene(opened(), handlers, 3);
    await ask();
    const other = { kind: "branch", branch: "other", pullRequest: 6 } as const;
    await ask({ subject: other });
    await handlers.called(2);
    await queue.apply({ kind: "cancel", repositoryId, subject: other, cause: "stopped" });
    await handlers.called(3);
    const again = await ask({ subject: other, causes: [command(1)] });
    await until(again, { state: "ended", outcome: "opened" });
    expect(handlers.calls).toEqual(["run 1", "run 1", "close cancelled: stopped by a command", "run 1"]);
  });

  test("a person who joins a running job is found by it", async () => {
    const seen = Promise.withResolvers<unknown>();
    const joined = Promise.withResolvers<void>();
    const handlers = new ScriptedHandlers([
      async (job, signal) => {
        await joined.promise;
        seen.resolve((await job.latest()).causes);
        return opens(job, signal);
      },
    ]);
    const { ask, until } = await workerScene(opened(), handlers);
    const id = await ask();
    await handlers.called(1);
    expect(await ask({ causes: [command(1)] })).toBe(id);
    joined.resolve();
    expect(await seen.promise).toEqual([command(1), check("test")]);
    await until(id, { state: "ended" });
  });

  test("a failing check that a job has read makes no other job when its event comes after the end", async () => {
    const reads = async (job: ActiveJob, signal: AbortSignal) => {
      await job.noteChecks(["lint", "test", "zero\u0000byte"]);
      return opens(job, signal);
    };
    const handlers = new ScriptedHandlers([reads, opens]);
    const { queue, repositoryId, ask, until } = await workerScene(opened(), handlers);
    await until(await ask(), { state: "ended" });
    const late = (name: string) =>
      queue.apply({ kind: "fix", job: fixJob({ repositoryId, causes: [check(name, 2)] }) });
    expect(await late("lint")).toEqual({ kind: "ignored", reason: "handled" });
    expect(await late("zerobyte")).toEqual({ kind: "ignored", reason: "handled" });
    expect(await late("new")).toMatchObject({ kind: "queued" });
  });

  test("a job that the queue lost is given to it again at the next start", async () => {
    const handlers = new ScriptedHandlers([]);
    const { queue, ask, until, row, start, stop } = await workerScene(opened(), handlers);
    await stop();
    const id = await ask();
    await queue.boss.deleteJob(fixQueue, (await row(id)).queueId);
    const next = new ScriptedHandlers([opens]);
    await start(next);
    await until(id, { state: "ended", outcome: "opened" });
  });

  test("intake is settled at once, and again after a failure", async () => {
    let failures = 1;
    const settle = async (intake: Intake) => {
      failures -= 1;
      if (failures >= 0) throw new Error("GitHub is down");
      const job = fixJob({ repositoryId: intake.repository.id, causes: [command(1)] });
      await queue.apply({ kind: "fix", job });
    };
    const handlers = new ScriptedHandlers([opens]).onIntake(settle);
    const { queue, repositoryId } = await workerScene(opened(), handlers);
    await queue.apply({ kind: "intake", intake: commandIntake(repositoryId) });
    await handlers.called(3);
    expect(handlers.calls).toEqual(["intake", "intake", "run 1"]);
    expect(handlers.intakes[1]).toEqual(commandIntake(repositoryId));
    await vi.waitFor(async () => expect(await notEnded(repositoryId)).toEqual([]), soon);
  });

  async function notEnded(repositoryId: number): Promise<string[]> {
    const rows = await findJobsNotEnded(opened().store.database);
    return rows.filter(({ key }) => key === keyOf(repositoryId, branch)).map(({ id }) => id);
  }
});

function commandIntake(repositoryId: number): Intake {
  return {
    kind: "command",
    installationId: 42,
    repository: { id: repositoryId, owner: "octo", name: "shop", defaultBranch: "main" },
    command: { name: "fix", hint: null },
    comment: { id: 1, createdAt: "2026-05-01T12:10:00Z", user: { id: 77, login: "ada" } },
    issue: { number: 5, isPullRequest: true, isOpen: true, isLocked: false },
  };
}
