import type { Logger } from "pino";
import { AutolithError, messageOf } from "../errors.ts";
import { rateLimitedUntil } from "../github/rate-limit.ts";
import { withoutValues } from "../log/brief-error.ts";
import type { JobRow } from "../store/jobs.ts";
import { activeJob, failureLimit, JobAborted, type JobEnd } from "./active-job.ts";
import { broken, claimJob, finish, handBack } from "./claim.ts";
import type { Claim } from "./dispatch.ts";
import { type Ending, endingOf, isSilent } from "./ending.ts";
import type { EndingWatch } from "./ending-watch.ts";
import type { Queue } from "./queue.ts";
import type { Handlers } from "./worker.ts";

export interface AttemptsOptions {
  readonly queue: Queue;
  readonly handlers: Pick<Handlers, "run" | "close">;
  readonly log: Logger;
  readonly watch: EndingWatch;
  readonly shutdown: AbortSignal;
}

/** An outage often passes within a minute or two. */
const retryDelaySeconds = 30;
/** Saying how a job ended is tried this often before its record is closed all the same. */
const closeLimit = failureLimit + 5;
const closeMs = 60_000;

/** Performs attempts of jobs: from what the queue hands out to what the record says at the end. */
export class Attempts {
  readonly #options: AttemptsOptions;

  constructor(options: AttemptsOptions) {
    this.#options = options;
  }

  /** `lost` aborts when the queue gave the claim to somebody else. Rejects only when the database fails. */
  async perform(jobId: string, claim: Claim, lost: AbortSignal): Promise<void> {
    const { queue, shutdown } = this.#options;
    if (shutdown.aborted) {
      return queue.store.database.transaction((database) => queue.dispatch.handBack(database, claim, 0));
    }
    const claimed = await claimJob(queue, jobId);
    switch (claimed.kind) {
      case "gone":
        return;
      case "blocked":
        await this.#closeOlder(claimed.by);
        return this.perform(jobId, claim, lost);
      case "close":
        return this.#close(claimed.row, claim, claimed.ending);
      case "run":
        return this.#run(claimed.row, claim, lost);
    }
  }

  /** No worker can have the older job, since the queue gives out one job of a key at a time. */
  async #closeOlder(jobId: string): Promise<void> {
    const claimed = await claimJob(this.#options.queue, jobId);
    if (claimed.kind === "run") return this.#close(claimed.row, null, endingOf("superseded"));
    if (claimed.kind === "close") return this.#close(claimed.row, null, claimed.ending);
  }

  async #run(row: JobRow, claim: Claim, lost: AbortSignal): Promise<void> {
    const { queue, handlers, watch, shutdown } = this.#options;
    const log = this.#logOf(row);
    using watched = watch.watch(row.id);
    const lostClaim = new AbortController();
    const onLost = () => lostClaim.abort(new JobAborted("lost"));
    if (lost.aborted) onLost();
    lost.addEventListener("abort", onLost, { once: true });
    const signal = AbortSignal.any([watched.signal, shutdown, lostClaim.signal]);
    log.info("job started");
    const end = await this.#attempt(row, () => handlers.run(activeJob(queue.store.database, row), signal));
    lost.removeEventListener("abort", onLost);
    if (signal.aborted && (end.kind !== "ended" || end.outcome === "cancelled")) {
      return this.#abandon(row, claim, (signal.reason as JobAborted).why);
    }
    return this.#settle(row, claim, end);
  }

  async #attempt(row: JobRow, run: () => Promise<JobEnd>): Promise<JobEnd | Unretriable> {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof JobAborted)) this.#logOf(row).warn({ err: error }, "job attempt broke");
      const willNotHelp = error instanceof AutolithError && (error.code === "config" || error.code === "usage");
      return { kind: willNotHelp ? "unretriable" : "failed", reason: reasonOf(error) };
    }
  }

  async #abandon(row: JobRow, claim: Claim, why: JobAborted["why"]): Promise<void> {
    this.#logOf(row).info({ why }, "job given up");
    if (why === "lost") return;
    if (why === "shutdown") return handBack(this.#options.queue, row, claim, { delaySeconds: 0 });
    return this.#close(row, claim, why);
  }

  async #settle(row: JobRow, claim: Claim, end: JobEnd | Unretriable): Promise<void> {
    const { queue } = this.#options;
    this.#logOf(row).info({ end }, "job attempt ended");
    switch (end.kind) {
      case "ended":
        return finish(queue, row, claim, end);
      case "postponed":
        return handBack(queue, row, claim, { delaySeconds: secondsUntil(end.until) });
      case "unretriable":
        return this.#close(row, claim, broken(end.reason));
      case "failed": {
        const failures = row.failures + 1;
        if (failures >= failureLimit) return this.#close({ ...row, failures }, claim, broken(end.reason));
        return handBack(queue, row, claim, { delaySeconds: retryDelaySeconds * failures, failures });
      }
    }
  }

  /** `claim` is null for a job that this worker closes on the way to another one. */
  async #close(row: JobRow, claim: Claim | null, ending: Ending): Promise<void> {
    const { queue, handlers } = this.#options;
    const log = this.#logOf(row);
    try {
      const job = activeJob(queue.store.database, row);
      if (!isSilent(ending)) await handlers.close(job, ending, AbortSignal.timeout(closeMs));
    } catch (error) {
      const until = rateLimitedUntil(error, new Date());
      if (claim !== null && until !== null) {
        log.info({ until, ending }, "job is closed out later, when GitHub's rate limit is over");
        return handBack(queue, row, claim, { delaySeconds: secondsUntil(until), ending });
      }
      const failures = row.failures + 1;
      log.warn({ err: error, ending }, "job could not be closed out");
      if (claim !== null && failures < closeLimit) {
        return handBack(queue, row, claim, { delaySeconds: retryDelaySeconds, failures, ending });
      }
    }
    await finish(queue, row, claim, ending);
    log.info({ ending }, "job closed");
  }

  #logOf(row: JobRow): Logger {
    const { id: jobId, repositoryId, sha, attempts } = row;
    return this.#options.log.child({ jobId, repositoryId, sha, attempt: attempts });
  }
}

interface Unretriable {
  readonly kind: "unretriable";
  readonly reason: string;
}

function secondsUntil(until: Date): number {
  return Math.max(0, Math.ceil((until.getTime() - Date.now()) / 1000));
}

/** People will read it: one line, and nothing of the values that a statement was made with. */
function reasonOf(error: unknown): string {
  const [line = ""] = messageOf(withoutValues(error)).split("\n", 1);
  return line.slice(0, 300).toWellFormed();
}
