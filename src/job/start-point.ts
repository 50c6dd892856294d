import { headOf } from "../github/head-of.ts";
import { readIssue } from "../github/issue.ts";
import type { GitHub } from "../github/octokit.ts";
import { findRepository, named, type Repository } from "../github/repository.ts";
import { branchPrefix } from "../pull-request/fix-branch.ts";
import type { JobOutcome } from "./ending.ts";
import { isAsked, type Job } from "./job.ts";

/** The branch that a pull request would merge into. */
export interface Base {
  readonly branch: string;
  /** Its head. */
  readonly sha: string;
}

/** What a commit is the head of. */
export type Place =
  | { readonly kind: "default-branch"; readonly branch: string }
  | { readonly kind: "pull-request"; readonly number: number; readonly branch: string; readonly base: Base }
  | { readonly kind: "fork"; readonly number: number; readonly base: Base }
  /** The default branch, for what an issue reports. */
  | { readonly kind: "issue"; readonly number: number; readonly branch: string };

/** What a job repairs, as GitHub says when it starts. */
export interface StartPoint {
  readonly repository: Repository;
  /** The start commit. */
  readonly sha: string;
  readonly place: Place;
}

export type FoundStart =
  | { readonly kind: "start"; readonly start: StartPoint }
  /** There is nothing to repair any more. */
  | { readonly kind: "stop"; readonly outcome: JobOutcome; readonly reason: string };

/** What earlier attempts at a job for an issue had settled. */
export interface EarlierStart {
  /** Their start commit; null before the first. */
  readonly sha: string | null;
  /** They have proven a repair of it. */
  readonly isProven: boolean;
}

/** Looks at what became of a job's commit since the job was queued: time has passed, and the repository may have been renamed. */
export async function findStart(
  github: GitHub,
  job: Job,
  signal: AbortSignal,
  earlier: EarlierStart = { sha: null, isProven: false },
): Promise<FoundStart> {
  const { subject, sha } = job;
  const repository = await findRepository(github, job.repository.id, signal);
  if (repository.isArchived) return stop("cancelled", "the repository is archived");
  if (subject.kind === "issue") return findIssue(github, repository, subject.issue, earlier, signal);
  if (sha === null) return stop("cancelled", "it is not known which commit was meant");
  if (subject.kind === "branch" && subject.branch.startsWith(branchPrefix)) {
    return stop("cancelled", "it is a branch of Autolith's own");
  }
  const number = subject.pullRequest;
  if (number !== null) return findPullRequest(github, repository, { number, sha, isAsked: isAsked(job) }, signal);
  const branch = repository.defaultBranch;
  if (subject.kind !== "branch" || subject.branch !== branch) {
    return stop("cancelled", "the branch is neither the default branch nor the head of a pull request");
  }
  if ((await headOf(github, repository, branch, signal)) !== sha) return moved(branch);
  return { kind: "start", start: { repository, sha, place: { kind: "default-branch", branch } } };
}

/** Whether the commit is still the head of what it was the head of. */
export async function isStillHead(github: GitHub, start: StartPoint, signal: AbortSignal): Promise<boolean> {
  const { repository, place, sha } = start;
  if (place.kind === "default-branch" || place.kind === "issue")
    return (await headOf(github, repository, place.branch, signal)) === sha;
  const { data } = await github.rest.pulls.get({
    ...named(repository),
    pull_number: place.number,
    request: { signal },
  });
  return data.state === "open" && data.head.sha === sha;
}

async function findIssue(
  github: GitHub,
  repository: Repository,
  number: number,
  earlier: EarlierStart,
  signal: AbortSignal,
): Promise<FoundStart> {
  const issue = await readIssue(github, repository, number, signal);
  if (issue === null) return stop("cancelled", "the issue is gone");
  if (!issue.isOpen) return stop("cancelled", "the issue is closed");
  if (issue.isLocked) return stop("cancelled", "the issue is locked");
  const branch = repository.defaultBranch;
  const sha = await headOf(github, repository, branch, signal);
  if (sha === null) return stop("cancelled", "the repository has no commit yet");
  // What is proven was proven there; whether it holds for a newer commit is seen when it is published.
  const start = earlier.isProven && earlier.sha !== null ? earlier.sha : sha;
  return { kind: "start", start: { repository, sha: start, place: { kind: "issue", number, branch } } };
}

interface Wanted {
  readonly number: number;
  readonly sha: string;
  readonly isAsked: boolean;
}

async function findPullRequest(
  github: GitHub,
  repository: Repository,
  { number, sha, isAsked }: Wanted,
  signal: AbortSignal,
): Promise<FoundStart> {
  const { data } = await github.rest.pulls.get({ ...named(repository), pull_number: number, request: { signal } });
  if (data.state !== "open") return stop("cancelled", "the pull request is closed");
  if (data.draft && !isAsked) return stop("cancelled", "the pull request is a draft");
  if (data.head.sha !== sha) return moved(`pull request #${number}`);
  const base = { branch: data.base.ref, sha: data.base.sha };
  // `head.repo` is null when the fork was deleted.
  const isOwn = data.head.repo?.id === repository.id;
  const place: Place = isOwn
    ? { kind: "pull-request", number, branch: data.head.ref, base }
    : { kind: "fork", number, base };
  return { kind: "start", start: { repository, sha, place } };
}

function moved(what: string): FoundStart {
  return stop("stale", `a newer commit was pushed to ${what}`);
}

function stop(outcome: JobOutcome, reason: string): FoundStart {
  return { kind: "stop", outcome, reason };
}
