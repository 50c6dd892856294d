import { and, eq, isNotNull } from "drizzle-orm";
import type { Database } from "./database.ts";
import { jobs, refusals } from "./schema.ts";

/** A pull request that Autolith opened. */
export interface OurPullRequest {
  readonly repositoryId: number;
  readonly pullRequest: number;
}

/** Remembers that a person closed our pull request unmerged. Gives false when the pull request is not ours. */
export async function recordRefusal(database: Database, refused: OurPullRequest): Promise<boolean> {
  const [job] = await database
    .select({ installationId: jobs.installationId, failure: jobs.failure })
    .from(jobs)
    .where(
      and(
        eq(jobs.repositoryId, refused.repositoryId),
        eq(jobs.pullRequest, refused.pullRequest),
        isNotNull(jobs.failure),
      ),
    )
    .limit(1);
  if (job?.failure == null) return false;
  await database
    .insert(refusals)
    .values({ ...refused, installationId: job.installationId, failure: job.failure })
    .onConflictDoNothing();
  return true;
}

/** Forgets a refusal, because the pull request was opened again. */
export async function withdrawRefusal(database: Database, refused: OurPullRequest): Promise<void> {
  await database
    .delete(refusals)
    .where(and(eq(refusals.repositoryId, refused.repositoryId), eq(refusals.pullRequest, refused.pullRequest)));
}

/** Whether a person refused our repair of this failure before. */
export async function isRefused(database: Database, repositoryId: number, failure: string): Promise<boolean> {
  const rows = await database
    .select({ pullRequest: refusals.pullRequest })
    .from(refusals)
    .where(and(eq(refusals.repositoryId, repositoryId), eq(refusals.failure, failure)));
  return rows.length > 0;
}
