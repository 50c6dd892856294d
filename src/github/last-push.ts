import type { GitHub } from "./octokit.ts";
import { named, type Repository } from "./repository.ts";

/**
 * When a branch was last pushed to, by GitHub's own record of it: dates of commits can be forged. Null when there is no record.
 * https://docs.github.com/en/rest/repos/repos#list-repository-activities
 */
export async function lastPush(
  github: GitHub,
  repository: Repository,
  branch: string,
  signal: AbortSignal,
): Promise<Date | null> {
  const { data } = await github.request("GET /repos/{owner}/{repo}/activity", {
    ...named(repository),
    ref: `refs/heads/${branch}`,
    per_page: 1,
    request: { signal },
  });
  const [latest] = data;
  return latest === undefined ? null : new Date(latest.timestamp);
}
