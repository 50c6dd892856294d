import type { GitHub } from "./octokit.ts";
import { named, type Repository } from "./repository.ts";

/** Who made a commit, as GitHub knows it. An author is found by an e-mail address, which anybody can write. */
export interface PullCommit {
  readonly sha: string;
  readonly authorId: number | null;
  readonly committerId: number | null;
  /** Whether its signature is the committer's. */
  readonly verified: boolean;
  readonly message: string;
}

/** GitHub lists no more: https://docs.github.com/en/rest/pulls/pulls#list-commits-on-a-pull-request */
const mostListed = 250;

/** The commits of a pull request, oldest first; null when there are more than GitHub lists. */
export async function pullCommits(
  github: GitHub,
  repository: Repository,
  number: number,
  signal: AbortSignal,
): Promise<PullCommit[] | null> {
  const commits = await github.paginate(github.rest.pulls.listCommits, {
    ...named(repository),
    pull_number: number,
    per_page: 100,
    request: { signal },
  });
  if (commits.length >= mostListed) return null;
  return commits.map(({ sha, author, committer, commit }) => ({
    sha,
    authorId: idOf(author),
    committerId: idOf(committer),
    verified: commit.verification?.verified === true,
    message: commit.message,
  }));
}

/** Accounts that are not known come as null or as an empty object. */
function idOf(account: object | null): number | null {
  return account !== null && "id" in account && typeof account.id === "number" ? account.id : null;
}
