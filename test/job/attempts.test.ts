import { describe, expect, test, vi } from "vitest";
import { AutolithError } from "../../src/errors.ts";
import type { ActiveJob, JobEnd } from "../../src/job/active-job.ts";
import { fixQueue } from "../../src/job/boss.ts";
import { claimJob } from "../../src/job/claim.ts";
import { sha } from "./fix-job.ts";
import { breaks, hangs, opens, ScriptedHandlers } from "./scripted-handlers.ts";
import { dialects, useQueue } from "./use-queue.ts";
import { attemptsOf, workerScene } from "./worker-scene.ts";

vi.setConfig({ testTimeout: 20_000 });

describe.each(dialects)("on %s", (dialect) => {
  const opened = useQueue(dialect, 0);

  test("a job runs once and its record says how it ended", async () => {
    const handlers = new ScriptedHandlers([opens]);
    const { ask, until } = await workerScene(opened(), handlers);
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
    const { ask, until, hasten } = await workerScene(opened(), handlers);
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
    const { ask, until, hasten } = await workerScene(opened(), handlers);
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
    const { ask, until } = await workerScene(opened(), handlers);
    await until(await ask(), { state: "ended", outcome: "infrastructure", reason: "no such model" });
    expect(handlers.calls).toEqual(["run 1", "close infrastructure: no such model"]);
  });

  test("an older job that waits to be tried again is closed before the newer one starts", async () => {
    const handlers = new ScriptedHandlers([breaks, opens]);
    const { queue, ask, until } = await workerScene(opened(), handlers);
    const older = await ask();
    await until(older, { state: "active", running: false });
    const newer = await ask({ sha: sha("b"), shaSeenAt: "2026-05-01T13:00:00Z" });
    await until(newer, { state: "ended", outcome: "opened" });
    await until(older, { state: "ended", outcome: "stale" });
    expect(handlers.calls).toEqual(["run 1", "close stale: a newer commit was pushed", "run 1"]);
    expect(await claimJob(queue, older)).toEqual({ kind: "gone" });
  });

  test("what broke is told in one line, without the values of a statement", async () => {
    const spoils = async (job: ActiveJob): Promise<JobEnd> => {
      await job.record({ failure: "a private \u0000 matter" });
      return { kind: "failed", reason: "not reached" };
    };
    const handlers = new ScriptedHandlers([spoils, spoils, spoils]);
    const { ask, until, hasten, row } = await workerScene(opened(), handlers);
    const id = await ask();
    for (const failures of [1, 2]) {
      await until(id, { running: false, failures });
      await hasten(id);
    }
    await until(id, { state: "ended", outcome: "infrastructure" });
    expect((await row(id)).reason).toMatch(/^invalid byte sequence .+$/);
  });

  test("a newer job that is handed out first closes the older one itself", async () => {
    const handlers = new ScriptedHandlers([breaks, opens]);
    const { queue, ask, until, row, stop } = await workerScene(opened(), handlers);
    const older = await ask();
    await until(older, { state: "active", running: false });
    await stop();
    const newer = await ask({ sha: sha("b"), shaSeenAt: "2026-05-01T13:00:00Z" });
    const later = { id: (await row(older)).queueId, startAfter: 600 };
    await queue.boss.update(fixQueue, undefined, later);
    const [claim] = await queue.boss.fetch(fixQueue, { includeMetadata: true });
    const never = new AbortController().signal;
    await attemptsOf(queue, handlers).perform(newer, claim ?? { id: "", retryCount: 0 }, never);
    await until(older, { state: "ended", outcome: "stale" });
    await until(newer, { state: "ended", outcome: "opened" });
    expect(handlers.calls).toEqual(["run 1", "close stale: a newer commit was pushed", "run 1"]);
  });

  test("a postponed job frees its worker, goes on when it is time, and has not failed", async () => {
    const until = new Date(Date.now() + 3_600_000);
    const handlers = new ScriptedHandlers([
      async () => ({ kind: "postponed", until, reason: "rate limit" }),
      opens,
      opens,
    ]);
    const { ask, row, until: untilRow, hasten } = await workerScene(opened(), handlers);
    const id = await ask();
    await untilRow(id, { state: "active", running: false, failures: 0 });
    const other = await ask({ subject: { kind: "branch", branch: "other", pullRequest: 6 } });
    await untilRow(other, { state: "ended", outcome: "opened" });
    expect(await row(id)).toMatchObject({ state: "active", attempts: 1 });
    await hasten(id);
    await untilRow(id, { state: "ended", outcome: "opened", attempts: 2, failures: 0 });
  });

  test("an ending that cannot be said is tried again", async () => {
    const handlers = new ScriptedHandlers([hangs], [new Error("GitHub is down")]);
    const { ask, until, hasten, end } = await workerScene(opened(), handlers);
    const id = await ask();
    await handlers.called(1);
    await end();
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
    const { queue, ask, row, stop } = await workerScene(opened(), handlers);
    await stop();
    const id = await ask();
    const [claim] = await queue.boss.fetch(fixQueue, { includeMetadata: true });
    const lost = new AbortController();
    const performed = attemptsOf(queue, handlers).perform(id, claim ?? { id: "", retryCount: 0 }, lost.signal);
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
    const { ask, row, until, stop } = await workerScene(opened(), handlers);
    const id = await ask();
    await until(id, { attempts: 2 });
    await stop();
    expect(await row(id)).toMatchObject({ state: "active", checkRunId: null, outcome: null, attempts: 2 });
  });
});
