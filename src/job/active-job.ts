import { AutolithError } from "../errors.ts";
import type { Database } from "../store/database.ts";
import { findJob, type JobRow, lockKeys, updateAttempt } from "../store/jobs.ts";
import type { Ending, JobOutcome } from "./ending.ts";
import { type Job, jobSchema, withChecksRead } from "./job.ts";

/** What a job has made and spent so far; it outlives a crash, and the next attempt finds it. */
export type Progress = Pick<
  JobRow,
  "checkRunId" | "commentId" | "pullRequest" | "failure" | "spend" | "resume" | "sha"
>;

/** A job as whoever runs it sees it. */
export interface ActiveJob {
  readonly id: string;
  readonly job: Job;
  /** Counts from 1. */
  readonly attempt: number;
  /** Whether a failure of this attempt would be final. */
  readonly isLastAttempt: boolean;
  /** As it was when the attempt began. */
  readonly progress: Progress;
  /** Stores what was made or spent, at once or with a transaction. Throws `AutolithError("cancelled")` when this attempt is not the current one any more. */
  record(progress: Partial<Progress>, transaction?: Database): Promise<void>;
  /** The job with the causes that joined it since, such as another person's command. */
  latest(): Promise<Job>;
  /** Notes the names of the failing checks that this attempt has read, so that their late events make no other job. Throws like `record`. */
  noteChecks(names: readonly string[]): Promise<void>;
}

/** How an attempt ended. */
export type JobEnd =
  | { readonly kind: "ended"; readonly outcome: JobOutcome; readonly reason: string }
  /** Infrastructure broke: tried again while attempts are left, like an exception. */
  | { readonly kind: "failed"; readonly reason: string }
  /** It can go on later, for instance when GitHub's rate limit has been reset. Does not count as a failure. */
  | { readonly kind: "postponed"; readonly until: Date; readonly reason: string };

/** What the signal of an attempt is aborted with. */
export class JobAborted extends AutolithError {
  override readonly name = "JobAborted";
  /** An ending was decided, this process shuts down, or another worker may have the job by now. */
  readonly why: Ending | "shutdown" | "lost";

  constructor(why: Ending | "shutdown" | "lost") {
    super("cancelled", typeof why === "string" ? `the attempt was given up: ${why}` : why.reason);
    this.why = why;
  }
}

export const failureLimit = 3;

/** Wraps the record of an attempt that was just claimed. */
export function activeJob(database: Database, row: JobRow): ActiveJob {
  const { checkRunId, commentId, pullRequest, failure, spend, resume, sha } = row;
  const held = { id: row.id, attempt: row.attempts };
  const latest = async (from: Database): Promise<Job> =>
    jobSchema.parse((await findJob(from, row.id))?.work ?? row.work);
  return {
    id: row.id,
    job: jobSchema.parse(row.work),
    attempt: row.attempts,
    isLastAttempt: row.failures + 1 >= failureLimit,
    progress: { checkRunId, commentId, pullRequest, failure, spend, resume, sha },
    record: async (progress, transaction = database) => {
      if (!(await updateAttempt(transaction, held, progress))) throw new JobAborted("lost");
    },
    latest: () => latest(database),
    noteChecks: (names) =>
      database.transaction(async (transaction) => {
        await lockKeys(transaction, row.key);
        const work = withChecksRead(await latest(transaction), names);
        if (!(await updateAttempt(transaction, held, { work }))) throw new JobAborted("lost");
      }),
  };
}
