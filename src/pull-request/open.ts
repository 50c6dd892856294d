import { type GitHub, once } from "../github/octokit.ts";
import { named, type Repository } from "../github/repository.ts";

export interface PullRequestInput {
  readonly head: string;
  readonly base: string;
  readonly title: string;
  readonly body: string;
}

export interface PullRequest {
  readonly number: number;
  readonly url: string;
}

/**
 * Opens a pull request, or updates the open one of the same branch. A create is never repeated after an unclear answer: the pull
 * request is looked for first, since it may have been made.
 */
export async function openPullRequest(
  github: GitHub,
  repository: Repository,
  input: PullRequestInput,
  signal: AbortSignal,
): Promise<PullRequest> {
  const existing = await findOpenPullRequest(github, repository, input, signal);
  if (existing !== null) return update(github, repository, existing, input, signal);
  try {
    const { data } = await github.rest.pulls.create({ ...named(repository), ...input, request: { signal, ...once } });
    return { number: data.number, url: data.html_url };
  } catch (error) {
    signal.throwIfAborted();
    const made = await findOpenPullRequest(github, repository, input, signal);
    if (made === null) throw error;
    return update(github, repository, made, input, signal);
  }
}

/** The number of the open pull request from a branch, into a certain one or into any; null when there is none. */
export async function findOpenPullRequest(
  github: GitHub,
  repository: Repository,
  { head, base }: Pick<PullRequestInput, "head"> & Partial<Pick<PullRequestInput, "base">>,
  signal: AbortSignal,
): Promise<number | null> {
  const { data } = await github.rest.pulls.list({
    ...named(repository),
    head: `${repository.owner}:${head}`,
    ...(base !== undefined && { base }),
    state: "open",
    request: { signal },
  });
  return data[0]?.number ?? null;
}

async function update(
  github: GitHub,
  repository: Repository,
  number: number,
  { title, body }: PullRequestInput,
  signal: AbortSignal,
): Promise<PullRequest> {
  const { data } = await github.rest.pulls.update({
    ...named(repository),
    pull_number: number,
    title,
    body,
    request: { signal },
  });
  return { number: data.number, url: data.html_url };
}
