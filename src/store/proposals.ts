import { and, desc, eq, isNotNull } from "drizzle-orm";
import type { Database } from "./database.ts";
import { jobs } from "./schema.ts";

/** The pull request that an earlier job has opened for a failure of a commit; null when there is none. */
export async function findProposal(
  database: Database,
  { repositoryId, failure, sha }: { readonly repositoryId: number; readonly failure: string; readonly sha: string },
): Promise<number | null> {
  const [job] = await database
    .select({ pullRequest: jobs.pullRequest })
    .from(jobs)
    .where(
      and(
        ...[eq(jobs.repositoryId, repositoryId), eq(jobs.failure, failure), eq(jobs.sha, sha)],
        ...[eq(jobs.state, "ended"), isNotNull(jobs.pullRequest)],
      ),
    )
    .orderBy(desc(jobs.createdAt))
    .limit(1);
  return job?.pullRequest ?? null;
}
