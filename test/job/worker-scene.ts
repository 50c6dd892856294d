import { type Logger, pino } from "pino";
import { expect, onTestFinished, vi } from "vitest";
import { Attempts } from "../../src/job/attempts.ts";
import { EndingWatch } from "../../src/job/ending-watch.ts";
import type { Queue } from "../../src/job/queue.ts";
import { startWorker, type Worker } from "../../src/job/worker.ts";
import { findJob, type JobRow } from "../../src/store/jobs.ts";
import { type FixJobParts, fixJob, freshRepository } from "./fix-job.ts";
import { branch } from "./queue-scene.ts";
import type { ScriptedHandlers } from "./scripted-handlers.ts";

export const silent: Logger = pino({ level: "silent" });

/** How long a test waits for what should come soon. */
export const soon = { timeout: 8_000, interval: 20 };

/** A worker with the handlers of a test, and the jobs of a repository that no other test uses. */
export async function workerScene(queue: Queue, handlers: ScriptedHandlers, concurrency = 1) {
  const repositoryId = freshRepository();
  const workers: Worker[] = [];
  const start = async (hands = handlers) => {
    workers.push(await startWorker({ queue, handlers: hands, log: silent, concurrency, endingPollMs: 25 }));
  };
  const stop = async () => workers.pop()?.stop(5_000);
  const end = () => queue.apply({ kind: "cancel", repositoryId, subject: branch, cause: "stopped" });
  onTestFinished(async () => {
    await end();
    await stop();
  });
  await start();
  const row = async (id: string): Promise<JobRow> => {
    const found = await findJob(queue.store.database, id);
    if (found === null) throw new Error(`there is no job ${id}`);
    return found;
  };
  return {
    queue,
    repositoryId,
    start,
    stop,
    row,
    /** What `/autolith stop` does in the end. */
    end,
    ask: async (parts: FixJobParts = {}): Promise<string> => {
      const effect = await queue.apply({ kind: "fix", job: fixJob({ repositoryId, ...parts }) });
      if (!("jobId" in effect)) throw new Error(`the request was ${effect.kind}`);
      return effect.jobId;
    },
    until: (id: string, fields: Partial<JobRow>) =>
      vi.waitFor(async () => expect(await row(id)).toMatchObject(fields), soon),
    /** Lets a job that waits start now. */
    hasten: async (id: string) => {
      const { queueId } = await row(id);
      await queue.store.database.transaction((database) => queue.dispatch.reschedule(database, queueId, 0));
    },
  };
}

/** Attempts without a worker, for what a test hands out itself. */
export function attemptsOf(queue: Queue, handlers: ScriptedHandlers): Attempts {
  const watch = new EndingWatch({ store: queue.store, intervalMs: 1_000, onError: () => {} });
  onTestFinished(() => watch[Symbol.dispose]());
  return new Attempts({ queue, handlers, log: silent, watch, shutdown: new AbortController().signal });
}
