import type { Patch } from "../checkout/patch.ts";
import type { Checkout } from "../checkout/snapshot.ts";
import { type GitHub, once } from "../github/octokit.ts";
import { named, type Repository } from "../github/repository.ts";

/** A proven patch on its way to a branch. */
export interface CommitInput {
  /** Must stand at `parent`. */
  readonly branch: string;
  readonly parent: string;
  readonly checkout: Checkout;
  readonly patch: Patch;
  /** The proven tree. */
  readonly tree: string;
  readonly headline: string;
  readonly body: string;
}

export type Committed =
  | { readonly kind: "committed"; readonly sha: string }
  /** The branch is not where it should be: somebody else moved it. */
  | { readonly kind: "moved" }
  /** GitHub made another tree than the one that was proven; the branch must not be offered. */
  | { readonly kind: "other-tree"; readonly sha: string };

/**
 * Commits through the API as the App, so that GitHub signs it. The usual way cannot keep an executable bit, so patches that
 * touch one go by single objects. Either way the resulting tree is held against the proven one.
 */
export async function commitPatch(
  github: GitHub,
  repository: Repository,
  input: CommitInput,
  signal: AbortSignal,
): Promise<Committed> {
  const made = touchesMode(input)
    ? await byObjects(github, repository, input, signal)
    : await onBranch(github, repository, input, signal);
  if (made === null) return { kind: "moved" };
  const { data } = await github.rest.git.getCommit({ ...named(repository), commit_sha: made, request: { signal } });
  return data.tree.sha === input.tree ? { kind: "committed", sha: made } : { kind: "other-tree", sha: made };
}

function touchesMode({ checkout, patch }: CommitInput): boolean {
  return patch.some(
    (change) => checkout.entries.get(change.path)?.mode === "100755" || (change.kind === "write" && change.executable),
  );
}

const mutation = `mutation ($input: CreateCommitOnBranchInput!) {
  createCommitOnBranch(input: $input) { commit { oid } }
}`;

/** Null when the branch has moved. A repetition does no harm: it would find the branch moved. */
async function onBranch(
  github: GitHub,
  repository: Repository,
  input: CommitInput,
  signal: AbortSignal,
): Promise<string | null> {
  const additions = input.patch.flatMap((change) =>
    change.kind === "write" ? [{ path: change.path, contents: Buffer.from(change.bytes).toString("base64") }] : [],
  );
  const deletions = input.patch.flatMap((change) => (change.kind === "delete" ? [{ path: change.path }] : []));
  try {
    const answer = await github.graphql<{ createCommitOnBranch: { commit: { oid: string } } }>(mutation, {
      input: {
        branch: { repositoryNameWithOwner: `${repository.owner}/${repository.name}`, branchName: input.branch },
        message: { headline: input.headline, body: input.body },
        fileChanges: { additions, deletions },
        expectedHeadOid: input.parent,
      },
      request: { signal },
    });
    return answer.createCommitOnBranch.commit.oid;
  } catch (error) {
    if (isStale(error)) return null;
    throw error;
  }
}

function isStale(error: unknown): boolean {
  const errors = error instanceof Error && "errors" in error && Array.isArray(error.errors) ? error.errors : [];
  return errors.some((each: { type?: string }) => each.type === "STALE_DATA");
}

async function byObjects(
  github: GitHub,
  repository: Repository,
  input: CommitInput,
  signal: AbortSignal,
): Promise<string | null> {
  const target = named(repository);
  const entries = [];
  for (const change of input.patch) {
    if (change.kind === "delete") {
      const mode = input.checkout.entries.get(change.path)?.mode ?? "100644";
      entries.push({ path: change.path, mode, type: "blob" as const, sha: null });
      continue;
    }
    const content = Buffer.from(change.bytes).toString("base64");
    const { data } = await github.rest.git.createBlob({
      ...target,
      content,
      encoding: "base64",
      request: { signal, ...once },
    });
    entries.push({
      path: change.path,
      mode: change.executable ? ("100755" as const) : ("100644" as const),
      type: "blob" as const,
      sha: data.sha,
    });
  }
  const tree = await github.rest.git.createTree({
    ...target,
    base_tree: input.checkout.tree,
    tree: entries,
    request: { signal, ...once },
  });
  // Without author and committer GitHub signs the commit for the App.
  const commit = await github.rest.git.createCommit({
    ...target,
    message: `${input.headline}\n\n${input.body}`,
    tree: tree.data.sha,
    parents: [input.parent],
    request: { signal, ...once },
  });
  const head = await github.rest.git.getRef({ ...target, ref: `heads/${input.branch}`, request: { signal } });
  if (head.data.object.sha !== input.parent) return null;
  await github.rest.git.updateRef({
    ...target,
    ref: `heads/${input.branch}`,
    sha: commit.data.sha,
    force: false,
    request: { signal, ...once },
  });
  return commit.data.sha;
}
