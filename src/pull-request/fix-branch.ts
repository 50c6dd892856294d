import { headOf } from "../github/head-of.ts";
import { type GitHub, once } from "../github/octokit.ts";
import { named, type Repository } from "../github/repository.ts";

/** Every branch of Autolith begins so; events of such branches are its own. */
export const branchPrefix = "autolith/";

export type FixBranch =
  /** New, or left at the start commit by a run that broke off. */
  | { readonly kind: "ready"; readonly name: string }
  /** An earlier try of this job has already committed the proven tree here. */
  | { readonly kind: "committed"; readonly name: string; readonly sha: string };

/** How many names are tried when branches with other content stand in the way. */
const tries = 5;

/**
 * A branch for the repair, at the start commit. The name follows from what is repaired, so that a job that starts again finds the
 * branch of its earlier try; a branch with anything else on it is left alone and another name is taken.
 */
export async function openFixBranch(
  github: GitHub,
  repository: Repository,
  want: { readonly subject: string; readonly startCommit: string; readonly tree: string },
  signal: AbortSignal,
): Promise<FixBranch> {
  const base = `${branchPrefix}fix-${slug(want.subject)}-${want.startCommit.slice(0, 7)}`;
  for (let attempt = 1; attempt <= tries; attempt += 1) {
    const name = attempt === 1 ? base : `${base}-${attempt}`;
    const head = await headOf(github, repository, name, signal);
    if (head === null) {
      await github.rest.git.createRef({
        ...named(repository),
        ref: `refs/heads/${name}`,
        sha: want.startCommit,
        request: { signal, ...once },
      });
      return { kind: "ready", name };
    }
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
