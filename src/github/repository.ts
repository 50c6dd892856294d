import type { GitHub } from "./octokit.ts";

/** A repository under its present name; keyed by its id everywhere, since names change. */
export interface Repository {
  readonly id: number;
  readonly owner: string;
  readonly name: string;
  readonly defaultBranch: string;
  readonly cloneUrl: string;
  readonly webUrl: string;
  readonly isArchived: boolean;
}

/** Looks the repository up by id, as a job must: it may have been renamed or moved since its delivery. */
export async function findRepository(github: GitHub, id: number, signal: AbortSignal): Promise<Repository> {
  const { data } = await github.request("GET /repositories/{id}", { id, request: { signal } });
  return {
    id: data.id,
    owner: data.owner.login,
    name: data.name,
    defaultBranch: data.default_branch,
    cloneUrl: data.clone_url,
    webUrl: data.html_url,
    isArchived: data.archived === true,
  };
}

/** `owner` and `repo` as Octokit wants them. */
export function named({ owner, name }: Repository): { owner: string; repo: string } {
  return { owner, repo: name };
}
