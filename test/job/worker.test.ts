import { setTimeout as delay } from "node:timers/promises";
import { pino } from "pino";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { AutolithError } from "../../src/errors.ts";
import type { JobEnd } from "../../src/job/active-job.ts";
import { Attempts } from "../../src/job/attempts.ts";
import { fixQueue } from "../../src/job/boss.ts";
import { claimJob } from "../../src/job/claim.ts";
import { EndingWatch } from "../../src/job/ending-watch.ts";
import type { Intake } from "../../src/job/intake.ts";
import { keyOf } from "../../src/job/job.ts";
import { startWorker, type Worker } from "../../src/job/worker.ts";
import { findJob, findJobsNotEnded, type JobRow } from "../../src/store/jobs.ts";
import { check, command, type FixJobParts, fixJob, freshRepository, sha } from "./fix-job.ts";
import { breaks, hangs, opens, ScriptedHandlers } from "./scripted-handlers.ts";
import { dialects, useQueue } from "./use-queue.ts";

const log = pino({ level: "silent" });
const branch = { kind: "branch", branch: "feature", pullRequest: 5 } as const;
vi.setConfig({ testTimeout: 20_000 });
const soon = { timeout: 8_000, interval: 20 };

describe.each(dialects)("on %s", (dialect) => {
  const opened = useQueue(dialect, 0);

  async function scene(handlers: ScriptedHandlers, concurrency = 1) {
    const queue = opened();
    const repositoryId = freshRepository();
    const workers: Worker[] = [];
    const start = async (hands = handlers) => {
      workers.push(await startWorker({ queue, handlers: hands, log, concurrency, endingPollMs: 25 }));
    };
    const stop = async () => workers.pop()?.stop(5_000);
    onTestFinished(async () => {
      await queue.apply({ kind: "cancel", repositoryId, subject: branch, cause: "stopped" });
      await stop();
    });
    await start();
    const ask = async (parts: FixJobParts = {}): Promise<string> => {
      const effect = await queue.apply({ kind: "fix", job: fixJob({ repositoryId, ...parts }) });
      if (!("jobId" in effect)) throw new Error(`the request was ${effect.kind}`);
      return effect.jobId;
    };
    const row = async (id: string): Promise<JobRow> => {
      const found = await findJob(queue.store.database, id);
      if (found === null) throw new Error(`there is no job ${id}`);
      return found;
    };
    const until = (id: string, fields: Partial<JobRow>) =>
      vi.waitFor(async () => expect(await row(id)).toMatchObject(fields), soon);
    const hasten = async (id: string) => {
      const { queueId } = await row(id);
      await queue.store.database.transaction((database) => queue.dispatch.reschedule(database, queueId, 0));
    };
    return { queue, repositoryId, ask, row, until, hasten, start, stop };
  }

  test("a job runs once and its record says how it ended", async () => {
    const handlers = new ScriptedHandlers([opens]);
    const { ask, until } = await scene(handlers);
    const id = await ask();
    await until(id, { state: "ended", outcome: "opened", reason: "opened #8", running: false, attempts: 1 });
    expect(handlers.calls).toEqual(["run 1"]);
  });

  test("what an attempt records is there for the next one", async () => {
    const seen: unknown[] = [];
    const handlers = new ScriptedHandlers([
      async (job) => {
        await job.record({ checkRunId: 11, spend: { costUsd: 0.5 }, resume: { patch: "…" } });
        return { kind: "failed", reason: "the engine went away" };
      },
      async (job) => {
        seen.push(job.progress, job.isLastAttempt);
        return { kind: "ended", outcome: "stuck", reason: "no idea" };
      },
    ]);
    const { ask, until, hasten } = await scene(handlers);
    const id = await ask();
    await until(id, { state: "active", running: false, failures: 1 });
    await hasten(id);
    await until(id, { state: "ended", outcome: "stuck", spend: { costUsd: 0.5 }, resume: null });
    expect(seen).toEqual([
      expect.objectContaining({ checkRunId: 11, commentId: null, spend: { costUsd: 0.5 }, resume: { patch: "…" } }),
      false,
    ]);
  });

  test("broken infrastructure is tried twice more, then the job is closed", async () => {
    const handlers = new ScriptedHandlers([breaks, breaks, breaks]);
    const { ask, until, hasten } = await scene(handlers);
    const id = await ask();
    for (const failures of [1, 2]) {
      await until(id, { state: "active", running: false, failures });
      await hasten(id);
    }
    await until(id, { state: "ended", outcome: "infrastructure", reason: "the engine went away" });
    expect(handlers.calls).toEqual(["run 1", "run 2", "run 3", "close infrastructure: the engine went away"]);
  });

  test("a mistake in the configuration is not tried again", async () => {
    const handlers = new ScriptedHandlers([() => Promise.reject(new AutolithError("config", "no such model"))]);
    const { ask, until } = await scene(handlers);
    await until(await ask(), { state: "ended", outcome: "infrastructure", reason: "no such model" });
    expect(handlers.calls).toEqual(["run 1", "close infrastructure: no such model"]);
  });

  test("a newer commit ends the job that runs before its own job starts", async () => {
    const handlers = new ScriptedHandlers([hangs, opens]);
    const { ask, until } = await scene(handlers, 2);
    const older = await ask();
    await handlers.called(1);
    const newer = await ask({ sha: sha("b"), shaSeenAt: "2026-05-01T13:00:00Z" });
    await until(newer, { state: "ended", outcome: "opened" });
    await until(older, { state: "ended", outcome: "stale", reason: "a newer commit was pushed" });
    expect(handlers.calls).toEqual(["run 1", "close stale: a newer commit was pushed", "run 1"]);
  });

  test("an older job that waits to be tried again is closed before the newer one starts", async () => {
    const handlers = new ScriptedHandlers([breaks, opens]);
    const { queue, ask, until } = await scene(handlers);
    const older = await ask();
    await until(older, { state: "active", running: false });
    const newer = await ask({ sha: sha("b"), shaSeenAt: "2026-05-01T13:00:00Z" });
    await until(newer, { state: "ended", outcome: "opened" });
    await until(older, { state: "ended", outcome: "stale" });
    expect(handlers.calls).toEqual(["run 1", "close stale: a newer commit was pushed", "run 1"]);
    expect(await claimJob(queue, older)).toEqual({ kind: "gone" });
  });

  test("a newer job that is handed out first closes the older one itself", async () => {
    const handlers = new ScriptedHandlers([breaks, opens]);
    const { queue, ask, until, row, stop } = await scene(handlers);
    const older = await ask();
    await until(older, { state: "active", running: false });
    await stop();
    const newer = await ask({ sha: sha("b"), shaSeenAt: "2026-05-01T13:00:00Z" });
    const later = { id: (await row(older)).queueId, startAfter: 600 };
    await queue.boss.update(fixQueue, undefined, later);
    const [claim] = await queue.boss.fetch(fixQueue, { includeMetadata: true });
    const watch = new EndingWatch({ store: queue.store, intervalMs: 1000, onError: () => {} });
    onTestFinished(() => watch[Symbol.dispose]());
    const never = new AbortController().signal;
    const attempts = new Attempts({ queue, handlers, log, watch, shutdown: never });
    await attempts.perform(newer, claim ?? { id: "", retryCount: 0 }, never);
    await until(older, { state: "ended", outcome: "stale" });
    await until(newer, { state: "ended", outcome: "opened" });
    expect(handlers.calls).toEqual(["run 1", "close stale: a newer commit was pushed", "run 1"]);
  });

  test("stopping ends the job that runs, also when it reports that itself", async () => {
    const endsItself = async (_job: unknown, signal: AbortSignal): Promise<JobEnd> => {
      await delay(10_000, undefined, { signal }).catch(() => {});
      return { kind: "ended", outcome: "cancelled", reason: "cancelled before it was done" };
    };
    const handlers = new ScriptedHandlers([endsItself]);
    const { queue, repositoryId, ask, until } = await scene(handlers);
    const id = await ask();
    await handlers.called(1);
    await queue.apply({ kind: "cancel", repositoryId, subject: branch, cause: "stopped" });
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
    const { queue, repositoryId, ask, until } = await scene(handlers);
    const id = await ask();
    await handlers.called(1);
    await queue.apply({ kind: "cancel", repositoryId, subject: branch, cause: "stopped" });
    await until(id, { state: "ended", outcome: "opened" });
    expect(handlers.calls).toEqual(["run 1"]);
  });

  test("removing the App ends the job that runs without a word, and its record goes", async () => {
    const handlers = new ScriptedHandlers([hangs]);
    const { queue, repositoryId, ask } = await scene(handlers);
    const id = await ask();
    await handlers.called(1);
    await queue.apply({ kind: "lost", installationId: 42, repositoryIds: [repositoryId], forget: true });
    await vi.waitFor(async () => expect(await findJob(queue.store.database, id)).toBeNull(), soon);
    expect(handlers.calls).toEqual(["run 1"]);
  });

  test("a suspension ends the job that runs without a word, and its record stays", async () => {
    const handlers = new ScriptedHandlers([hangs]);
    const { queue, repositoryId, ask, until } = await scene(handlers);
    const id = await ask();
    await handlers.called(1);
    await queue.apply({ kind: "lost", installationId: 42, repositoryIds: [repositoryId], forget: false });
    await until(id, { state: "ended", outcome: "cancelled", reason: "the App was suspended" });
    expect(handlers.calls).toEqual(["run 1"]);
  });

  test("a postponed job frees its worker, goes on when it is time, and has not failed", async () => {
    const until = new Date(Date.now() + 3_600_000);
    const handlers = new ScriptedHandlers([
      async () => ({ kind: "postponed", until, reason: "rate limit" }),
      opens,
      opens,
    ]);
    const { ask, row, until: untilRow, hasten } = await scene(handlers);
    const id = await ask();
    await untilRow(id, { state: "active", running: false, failures: 0 });
    const other = await ask({ subject: { kind: "branch", branch: "other", pullRequest: 6 } });
    await untilRow(other, { state: "ended", outcome: "opened" });
    expect(await row(id)).toMatchObject({ state: "active", attempts: 1 });
    await hasten(id);
    await untilRow(id, { state: "ended", outcome: "opened", attempts: 2, failures: 0 });
  });

  test("a shutdown hands jobs back, and the next worker goes on with them", async () => {
    const handlers = new ScriptedHandlers([hangs]);
    const { ask, until, row, start, stop } = await scene(handlers);
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
    const worker = await startWorker({ queue, handlers, log, concurrency: 1 });
    await queue.apply({ kind: "fix", job: fixJob({ repositoryId: freshRepository() }) });
    await handlers.called(1);
    const start = performance.now();
    await worker.stop(100);
    expect(performance.now() - start).toBeLessThan(1_000);
    await vi.waitFor(() => expect(queue.boss.getWipData()).toEqual([]), soon);
  });

  test("jobs of different branches run side by side, those of one branch one after the other", async () => {
    const handlers = new ScriptedHandlers([hangs, hangs, opens]);
    const { queue, repositoryId, ask, until } = await scene(handlers, 3);
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
    const { ask, until } = await scene(handlers);
    const id = await ask();
    await handlers.called(1);
    expect(await ask({ causes: [command(1)] })).toBe(id);
    joined.resolve();
    expect(await seen.promise).toEqual([command(1), check("test")]);
    await until(id, { state: "ended" });
  });

  test("an ending that cannot be said is tried again", async () => {
    const handlers = new ScriptedHandlers([hangs], [new Error("GitHub is down")]);
    const { queue, repositoryId, ask, until, hasten } = await scene(handlers);
    const id = await ask();
    await handlers.called(1);
    await queue.apply({ kind: "cancel", repositoryId, subject: branch, cause: "stopped" });
    await until(id, { state: "active", running: false, ending: expect.objectContaining({ cause: "stopped" }) });
    await hasten(id);
    await until(id, { state: "ended", outcome: "cancelled" });
    expect(handlers.calls).toEqual([
      "run 1",
      "close cancelled: stopped by a command",
      "close cancelled: stopped by a command",
    ]);
  });

  test("an attempt that lost its job stops and changes nothing", async () => {
    const handlers = new ScriptedHandlers([hangs]);
    const { queue, ask, row, stop } = await scene(handlers);
    await stop();
    const id = await ask();
    const [claim] = await queue.boss.fetch(fixQueue, { includeMetadata: true });
    const lost = new AbortController();
    const watch = new EndingWatch({ store: queue.store, intervalMs: 1000, onError: () => {} });
    onTestFinished(() => watch[Symbol.dispose]());
    const attempts = new Attempts({ queue, handlers, log, watch, shutdown: new AbortController().signal });
    const performed = attempts.perform(id, claim ?? { id: "", retryCount: 0 }, lost.signal);
    await handlers.called(1);
    lost.abort();
    await performed;
    expect(await row(id)).toMatchObject({ state: "active", running: true, failures: 0, outcome: null });
  });

  test("an attempt cannot record anything once another one has begun", async () => {
    const handlers = new ScriptedHandlers([
      async (job) => {
        await claimJob(opened(), job.id);
        return job.record({ checkRunId: 1 }).then(
          () => ({ kind: "ended", outcome: "opened", reason: "recorded" }) as const,
          (error) => ({ kind: "ended", outcome: "stuck", reason: error.message }) as const,
        );
      },
    ]);
    const { ask, row, until, stop } = await scene(handlers);
    const id = await ask();
    await until(id, { attempts: 2 });
    await stop();
    expect(await row(id)).toMatchObject({ state: "active", checkRunId: null, outcome: null, attempts: 2 });
  });

  test("a job that the queue lost is given to it again at the next start", async () => {
    const handlers = new ScriptedHandlers([]);
    const { queue, ask, until, row, start, stop } = await scene(handlers);
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
    const { queue, repositoryId } = await scene(handlers);
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
