import { keyUsage, repositoryUsage } from "../store/usage.ts";
import type { FixServices } from "./fix-services.ts";
import { type FixJob, keyOf } from "./job.ts";

const dayMs = 86_400_000;

/** Which limit over many runs keeps a job from starting, in words; null when none does. The job itself is counted already. */
export async function limitReached(job: FixJob, { database, limits }: FixServices, now: Date): Promise<string | null> {
  const { repository, subject } = job;
  const day = await repositoryUsage(database, repository.id, new Date(now.getTime() - dayMs));
  if (day.runs > limits.runsPerDay) return `runs: the repository's ${limits.runsPerDay} runs of a day are used up`;
  if (day.costUsd >= limits.costPerDayUsd) {
    return `cost: the repository's $${limits.costPerDayUsd.toFixed(2)} of a day are spent`;
  }
  if (subject.kind === "branch" && subject.pullRequest === null) return null;
  const runs = await keyUsage(database, keyOf(repository.id, subject));
  return runs.runs > limits.runsPerPullRequest
    ? `runs: the ${limits.runsPerPullRequest} runs of this pull request are used up`
    : null;
}
