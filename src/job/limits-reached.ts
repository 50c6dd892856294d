import { keyUsage, lockSpend, repositoryUsage } from "../store/usage.ts";
import type { ActiveJob } from "./active-job.ts";
import type { FixServices } from "./fix-services.ts";
import { isAsked, type Job, keyOf } from "./job.ts";
import { nothingSpent, spentBefore } from "./spent-before.ts";

const dayMs = 86_400_000;

/** The moment from which on jobs count for the limits of 24 hours. */
export function dayBefore(now: Date): Date {
  return new Date(now.getTime() - dayMs);
}

/**
 * Which limit over many runs keeps a job from starting, in words; null when none does, and then it counts as a run from now on. One
 * that was let in before, and broke off, is not held against the limits of runs again. One that is turned away never counts.
 */
export function limitReached(
  active: Pick<ActiveJob, "id" | "progress" | "record">,
  job: Job,
  { database, limits }: Pick<FixServices, "database" | "limits">,
  now: Date,
): Promise<string | null> {
  const { repository } = job;
  const before = spentBefore(active);
  return database.transaction(async (transaction) => {
    await lockSpend(transaction, repository.id);
    const day = await repositoryUsage(transaction, repository.id, dayBefore(now), active.id);
    const costUsd = day.costUsd + (before?.costUsd ?? 0) + (before?.inFlight?.costUsd ?? 0);
    if (costUsd >= limits.costPerDayUsd) {
      return `cost: the repository has spent its $${limits.costPerDayUsd.toFixed(2)} of 24 hours`;
    }
    if (before !== undefined) return null;
    if (day.runs >= limits.runsPerDay) {
      return `runs: the repository has used up its ${limits.runsPerDay} runs of 24 hours`;
    }
    if (isHeldToPullRequest(job)) {
      const { runs } = await keyUsage(transaction, keyOf(repository.id, job.subject), active.id);
      if (runs >= limits.runsPerPullRequest) {
        return `runs: the pull request has used up its ${limits.runsPerPullRequest} runs that nobody asked for`;
      }
    }
    await active.record({ spend: nothingSpent }, transaction);
    return null;
  });
}

/** Every head is reviewed once; a person can always ask for one more; the default branch is no pull request. */
function isHeldToPullRequest(job: Job): boolean {
  return job.kind === "fix" && !isAsked(job) && !(job.subject.kind === "branch" && job.subject.pullRequest === null);
}
