import type { BareRepository } from "./bare-repository.ts";

/** "No such object" in git's own notation, as webhooks and `update-ref` use it. */
export const ZERO_SHA = "0".repeat(40);

/** A ref and what it points to. */
export interface Ref {
  /** Fully qualified, `refs/heads/main`. */
  readonly name: string;
  readonly sha: string;
}

/** The SHA that a fully qualified ref points to. */
export function readRef(git: BareRepository, name: string): Promise<string | undefined> {
  return git.tryText(["rev-parse", "--verify", "--quiet", "--end-of-options", name]);
}

/** The commit that a branch, tag, ref or SHA (abbreviated ones too) stands for, in GitHub's order of guesses. */
export async function resolveCommit(git: BareRepository, revision: string): Promise<string | undefined> {
  if (/[\s~^:?*[\\]|\.\.|@\{/.test(revision)) return undefined;
  // No branch may be called like a SHA.
  if (/^[0-9a-f]{40}$/.test(revision)) return readRef(git, `${revision}^{commit}`);
  for (const prefix of ["refs/heads/", "refs/tags/", "refs/", ""]) {
    if (prefix === "" && !/^([0-9a-f]{4,40}|HEAD|refs\/.+)$/.test(revision)) continue;
    const sha = await readRef(git, `${prefix}${revision}^{commit}`);
    if (sha !== undefined) return sha;
  }
  return undefined;
}

/** Every ref that starts with `prefix`, sorted by name. */
export async function listRefs(git: BareRepository, prefix: string): Promise<Ref[]> {
  const lines = await git.text(["for-each-ref", "--format=%(refname) %(objectname)"]);
  const refs = lines.split("\n").filter((line) => line.startsWith(prefix));
  return refs.map((line) => {
    const [name = "", sha = ""] = line.split(" ");
    return { name, sha };
  });
}

/** Moves a ref from `before` to `after` in one step; false when it was not at `before`. ZERO_SHA creates or deletes. */
export async function moveRef(git: BareRepository, name: string, before: string, after: string): Promise<boolean> {
  const args = after === ZERO_SHA ? ["update-ref", "-d", name, before] : ["update-ref", name, after, before];
  return (await git.tryText(args)) !== undefined;
}

/** Whether `ancestor` is in the history of `commit` (or is it). */
export async function isAncestor(git: BareRepository, ancestor: string, commit: string): Promise<boolean> {
  return (await git.tryText(["merge-base", "--is-ancestor", ancestor, commit])) !== undefined;
}

/** git's own rules on names of branches. */
export async function isBranchName(git: BareRepository, name: string): Promise<boolean> {
  return (await git.tryText(["check-ref-format", `refs/heads/${name}`])) !== undefined;
}
