import { headOf } from "../github/head-of.ts";
import { type GitHub, once } from "../github/octokit.ts";
import { named, type Repository } from "../github/repository.ts";
import { findOpenPullRequest } from "./open.ts";

/** Every branch of Autolith begins so; events of such branches are its own. */
export const branchPrefix = "autolith/";

export type FixBranch =
  /** New, or left at the start commit by a run that broke off. */
  | { readonly kind: "ready"; readonly name: string }
  /** An earlier try of this job has already committed the proven tree here. */
  | { readonly kind: "committed"; readonly name: string; readonly sha: string };

/** How many names are tried when branches with other content stand in the way. */
const tries = 5;

/** What a branch is for; its name follows from it, so that a job that starts again finds the branch of its earlier try. */
export interface WantedBranch {
  readonly subject: string;
  readonly startCommit: string;
  /** The proven tree. */
  readonly tree: string;
}

/** What a repair is of. */
type RepairSubject =
  | { readonly branch: string; readonly pullRequest: number | null }
  /** Number of the issue that reports it. */
  | { readonly issue: number };

/** What the branch of a repair is named after. */
export function branchSubject(subject: RepairSubject): string {
  if ("issue" in subject) return `issue-${subject.issue}`;
  return subject.pullRequest === null ? subject.branch : `pr-${subject.pullRequest}`;
}

/** A branch for the repair, at the start commit. A branch with anything else on it is left alone and another name is taken. */
export async function openFixBranch(
  github: GitHub,
  repository: Repository,
  want: WantedBranch,
  signal: AbortSignal,
): Promise<FixBranch> {
  const found = await findFixBranch(github, repository, want, signal);
  if (found.kind !== "free") return found;
  await github.rest.git.createRef({
    ...named(repository),
    ref: `refs/heads/${found.name}`,
    sha: want.startCommit,
    request: { signal, ...once },
  });
  return { kind: "ready", name: found.name };
}

/**
 * Deletes the branch of an earlier try that broke off. One from which a pull request was opened stays; its number is given, null when
 * there is none.
 */
export async function withdrawFixBranch(
  github: GitHub,
  repository: Repository,
  want: WantedBranch,
  signal: AbortSignal,
): Promise<number | null> {
  const { kind, name } = await findFixBranch(github, repository, want, signal);
  if (kind === "free") return null;
  const offered = kind === "committed" ? await findOpenPullRequest(github, repository, { head: name }, signal) : null;
  if (offered === null) await deleteBranch(github, repository, name, signal);
  return offered;
}

async function findFixBranch(
  github: GitHub,
  repository: Repository,
  want: WantedBranch,
  signal: AbortSignal,
): Promise<FixBranch | { readonly kind: "free"; readonly name: string }> {
  const base = `${branchPrefix}fix-${slug(want.subject)}-${want.startCommit.slice(0, 7)}`;
  for (let attempt = 1; attempt <= tries; attempt += 1) {
    const name = attempt === 1 ? base : `${base}-${attempt}`;
    const head = await headOf(github, repository, name, signal);
    if (head === null) return { kind: "free", name };
    if (head === want.startCommit) return { kind: "ready", name };
    const { data } = await github.rest.git.getCommit({ ...named(repository), commit_sha: head, request: { signal } });
    const isOurs =
      data.tree.sha === want.tree && data.parents.length === 1 && data.parents[0]?.sha === want.startCommit;
    if (isOurs) return { kind: "committed", name, sha: head };
  }
  throw new Error(`${tries} branches named like ${base} exist with other content`);
}

/** Removes a branch that must not be offered. One that is gone already is fine. */
export async function deleteBranch(
  github: GitHub,
  repository: Repository,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    await github.rest.git.deleteRef({ ...named(repository), ref: `heads/${name}`, request: { signal } });
  } catch (error) {
    const gone = error instanceof Error && "status" in error && (error.status === 404 || error.status === 422);
    if (!gone) throw error;
  }
}

function slug(text: string): string {
  return (
    text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 40) || "change"
  );
}
