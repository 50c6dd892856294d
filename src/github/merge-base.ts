import { AutolithError } from "../errors.ts";
import type { GitHub } from "./octokit.ts";
import { named, type Repository } from "./repository.ts";

/** The commit at which a pull request left its base branch: what GitHub shows its changes against. */
export async function mergeBase(
  github: GitHub,
  repository: Repository,
  ends: { readonly base: string; readonly head: string },
  signal: AbortSignal,
): Promise<string> {
  const { data } = await github.rest.repos.compareCommitsWithBasehead({
    ...named(repository),
    basehead: `${ends.base}...${ends.head}`,
    per_page: 1,
    request: { signal },
  });
  const { sha } = data.merge_base_commit;
  if (!/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(sha))
    throw new AutolithError("infrastructure", "GitHub names no merge base");
  return sha;
}
