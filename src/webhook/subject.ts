import type { Repository, Subject } from "../job/job.ts";
import { isOwnBranch } from "./own-event.ts";
import type { PullRequest, PullRequestInCheck } from "./payload.ts";

/** A commit as an event about its checks shows it. */
export interface CheckedCommit {
  readonly repository: Repository;
  readonly sha: string;
  /** Null for heads from forks, and when the event does not say. */
  readonly branch: string | null;
  readonly pullRequests: readonly PullRequestInCheck[];
}

export type FoundSubject =
  | { readonly kind: "found"; readonly subject: Subject }
  /** Probably the head of a pull request from a fork: GitHub names neither the branch nor the pull request. */
  | { readonly kind: "unnamed" }
  | { readonly kind: "none"; readonly reason: string };

/** What a checked commit belongs to: the default branch, or the pull request whose head it is. Other branches are left alone. */
export function subjectOfCommit({ repository, sha, branch, pullRequests }: CheckedCommit): FoundSubject {
  // Pull requests of forks into their own branches are listed too when they share the commit.
  const here = pullRequests.filter(({ base }) => base.repo?.id === repository.id);
  const branches = here.filter(({ head }) => head.repo?.id === repository.id).map(({ head }) => head.ref);
  if ([...branches, ...(branch === null ? [] : [branch])].some(isOwnBranch)) {
    return { kind: "none", reason: "it is about a branch of ours" };
  }
  if (branch === repository.defaultBranch)
    return { kind: "found", subject: { kind: "branch", branch, pullRequest: null } };
  const [first] = here.filter(({ head }) => head.sha === sha).sort((a, b) => a.number - b.number);
  if (first !== undefined) return { kind: "found", subject: subjectOfPullRequest(repository.id, first) };
  if (here.length > 0) return { kind: "none", reason: "the commit is not the head of its pull request any more" };
  if (branch === null) return { kind: "unnamed" };
  return { kind: "none", reason: "the branch is neither the default branch nor the head of a pull request" };
}

/** What a job about a pull request is about: its branch, or the pull request itself when it comes from a fork. */
export function subjectOfPullRequest(
  repositoryId: number,
  { number, head }: Pick<PullRequest, "number" | "head">,
): Subject {
  return head.repo?.id === repositoryId
    ? { kind: "branch", branch: head.ref, pullRequest: number }
    : { kind: "fork", pullRequest: number };
}
