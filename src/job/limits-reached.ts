import { keyUsage, repositoryUsage } from "../store/usage.ts";
import type { FixServices } from "./fix-services.ts";
import { type FixJob, isAsked, keyOf } from "./job.ts";

const dayMs = 86_400_000;

/** Which limit over many runs keeps a job from starting, in words; null when none does. The job itself is counted already. */
export async function limitReached(
  job: FixJob,
  { database, limits }: Pick<FixServices, "database" | "limits">,
  now: Date,
): Promise<string | null> {
  const { repository, subject } = job;
  const day = await repositoryUsage(database, repository.id, new Date(now.getTime() - dayMs));
  if (day.runs > limits.runsPerDay) return `runs: the repository has used up its ${limits.runsPerDay} runs of 24 hours`;
  if (day.costUsd >= limits.costPerDayUsd) {
    return `cost: the repository has spent its $${limits.costPerDayUsd.toFixed(2)} of 24 hours`;
  }
  // A person can always ask for one more; the default branch is no pull request.
  if (isAsked(job) || (subject.kind === "branch" && subject.pullRequest === null)) return null;
  const runs = await keyUsage(database, keyOf(repository.id, subject));
  return runs.runs > limits.runsPerPullRequest
    ? `runs: the pull request has used up its ${limits.runsPerPullRequest} runs that nobody asked for`
    : null;
}
