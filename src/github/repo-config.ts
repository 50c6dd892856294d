import { parseRepoConfig, type RepoConfig, repoConfigPath } from "../config/repo-config.ts";
import type { GitHub } from "./octokit.ts";
import { named, type Repository } from "./repository.ts";

export interface FoundRepoConfig {
  readonly config: RepoConfig;
  /** What is wrong with the file, in one line for a person; null when nothing is. */
  readonly problem: string | null;
}

/**
 * The repository's configuration, from the default branch only: a pull request must not decide how it is judged. A missing file means
 * the defaults, and so does an invalid one, whose problem is told.
 */
export async function fetchRepoConfig(
  github: GitHub,
  repository: Repository,
  signal: AbortSignal,
): Promise<FoundRepoConfig> {
  const text = await fetchText(github, repository, signal);
  if (text === null) return { config: {}, problem: null };
  const parsed = parseRepoConfig(text);
  if (parsed.kind === "valid") return { config: parsed.config, problem: null };
  return { config: {}, problem: `${repoConfigPath}:${parsed.line}: ${parsed.message}; the defaults were used` };
}

async function fetchText(github: GitHub, repository: Repository, signal: AbortSignal): Promise<string | null> {
  try {
    const { data } = await github.rest.repos.getContent({
      ...named(repository),
      path: repoConfigPath,
      ref: repository.defaultBranch,
      request: { signal },
    });
    if (Array.isArray(data) || !("content" in data)) return null;
    return Buffer.from(data.content, "base64").toString("utf8");
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Error && "status" in error && error.status === 404) return null;
    throw error;
  }
}
