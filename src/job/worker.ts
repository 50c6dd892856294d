import { setTimeout as delay } from "node:timers/promises";
import type { JobWithMetadata } from "pg-boss";
import type { Logger } from "pino";
import { rateLimitedUntil } from "../github/rate-limit.ts";
import { logSparingly } from "../log/sparing.ts";
import { type ActiveJob, JobAborted, type JobEnd } from "./active-job.ts";
import { Attempts } from "./attempts.ts";
import { fixQueue, intakeQueue } from "./boss.ts";
import { ticketSchema } from "./dispatch.ts";
import type { Ending } from "./ending.ts";
import { EndingWatch } from "./ending-watch.ts";
import { type Intake, intakeSchema } from "./intake.ts";
import type { Queue } from "./queue.ts";
import { recoverJobs } from "./recover.ts";

/** What is done with jobs. An exception counts as broken infrastructure. */
export interface Handlers {
  /**
   * Does the job. When the signal aborts, it gives up what it holds and rejects, or ends as `cancelled`, without a word to GitHub:
   * `close` comes next where there is something to say.
   */
  run(job: ActiveJob, signal: AbortSignal): Promise<JobEnd>;
  /** Says how a job ended that is not run, or not run to its end: closes its check run and comment, removes containers. */
  close(job: ActiveJob, ending: Ending, signal: AbortSignal): Promise<void>;
  /** Settles with GitHub what an event alone does not tell, and applies what follows from it. Must bear to be called again. */
  intake(intake: Intake, signal: AbortSignal): Promise<void>;
}

export interface WorkerOptions {
  readonly queue: Queue;
  readonly handlers: Handlers;
  readonly log: Logger;
  /** Jobs at the same time. */
  readonly concurrency: number;
  /** How soon a running job hears of an ending that was decided elsewhere. Unit: milliseconds. */
  readonly endingPollMs?: number;
}

export interface Worker {
  /** Takes no more jobs, aborts those that run and hands them back; resolves when they are, or after the time given. */
  stop(graceMs: number): Promise<void>;
}

/** A new job wakes the workers; one whose delay is over is found by looking, once a second. */
const fixPolling = { pollingIntervalSeconds: 1, notifyPollingIntervalSeconds: 1, includeMetadata: true } as const;

/** A few calls to GitHub each, and delayed only after a failure. */
const intakeWork = {
  pollingIntervalSeconds: 1,
  notifyPollingIntervalSeconds: 2,
  includeMetadata: true,
  localConcurrency: 4,
} as const;

/** Starts to do the jobs of a queue, orphans of an earlier process first. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { queue, handlers, log, concurrency, endingPollMs = 1000 } = options;
  const onError = logSparingly(log, "cannot look for endings of running jobs");
  const watch = new EndingWatch({ store: queue.store, intervalMs: endingPollMs, onError });
  const shutdown = new AbortController();
  const attempts = new Attempts({ queue, handlers, log, watch, shutdown: shutdown.signal });
  await recoverJobs(queue);
  await queue.boss.work(
    fixQueue,
    { ...fixPolling, localConcurrency: concurrency },
    async ([ticket]: JobWithMetadata[]) => {
      if (ticket !== undefined) await attempts.perform(ticketSchema.parse(ticket.data).jobId, ticket, ticket.signal);
    },
  );
  await queue.boss.work(intakeQueue, intakeWork, async ([ticket]: JobWithMetadata[]) => {
    if (ticket !== undefined) await settleIntake(options, ticket, shutdown.signal);
  });
  return {
    stop: async (graceMs) => {
      shutdown.abort(new JobAborted("shutdown"));
      const idle = Promise.all([fixQueue, intakeQueue].map((name) => queue.boss.offWork(name, { wait: true })));
      const timer = new AbortController();
      await Promise.race([idle, delay(graceMs, undefined, { signal: timer.signal }).catch(() => {})]);
      timer.abort();
      watch[Symbol.dispose]();
    },
  };
}

/** A rejection lets the queue try again, a few times. One that meets a rate limit is sent anew, for when it is over. */
async function settleIntake({ handlers, log, queue }: WorkerOptions, ticket: JobWithMetadata, shutdown: AbortSignal) {
  const intake = intakeSchema.parse(ticket.data);
  try {
    await handlers.intake(intake, AbortSignal.any([ticket.signal, shutdown]));
  } catch (error) {
    const until = rateLimitedUntil(error, new Date());
    if (until !== null) {
      log.info({ until, intake: intake.kind }, "intake is settled later, when GitHub's rate limit is over");
      return queue.dispatch.sendIntake(queue.store.database, intake, Math.ceil((until.getTime() - Date.now()) / 1000));
    }
    const isFinal = ticket.retryCount >= ticket.retryLimit;
    log[isFinal ? "error" : "warn"]({ err: error, intake: intake.kind, isFinal }, "intake could not be settled");
    throw error;
  }
}
