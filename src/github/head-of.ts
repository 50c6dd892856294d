import type { GitHub } from "./octokit.ts";
import { named, type Repository } from "./repository.ts";

/** The commit that a branch points to; null when there is no such branch. */
export async function headOf(
  github: GitHub,
  repository: Repository,
  branch: string,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    const { data } = await github.rest.git.getRef({
      ...named(repository),
      ref: `heads/${branch}`,
      request: { signal },
    });
    return data.object.sha;
  } catch (error) {
    if (error instanceof Error && "status" in error && error.status === 404) return null;
    throw error;
  }
}
