import { readCommit, writeCommit } from "../git/commits.ts";
import { type Files, fileChanges } from "../git/files.ts";
import { readEntry, writeTree } from "../git/objects.ts";
import { readRef } from "../git/refs.ts";
import { identityOf, MERGER } from "../world/commit-identity.ts";
import type { Repository } from "../world/repository.ts";
import { allows } from "../world/tokens.ts";
import { touchesWorkflows } from "../world/workflow-files.ts";
import { forbidden, TypedError, unresolved } from "./graphql-error.ts";
import { nodeOf } from "./nodes.ts";
import { commitObject, type GraphQlObject, refObject } from "./objects.ts";
import { demand, type Viewer, visibleRepository } from "./viewer.ts";

/** `CreateCommitOnBranchInput`. */
interface CommitInput {
  readonly clientMutationId?: string;
  readonly branch: { readonly id?: string; readonly repositoryNameWithOwner?: string; readonly branchName?: string };
  readonly expectedHeadOid: string;
  readonly message: { readonly headline: string; readonly body?: string };
  readonly fileChanges?: {
    readonly additions?: readonly { readonly path: string; readonly contents: string }[];
    readonly deletions?: readonly { readonly path: string }[];
  };
}

/**
 * Commits files to a branch whose head is known. The commit is GitHub's own, hence verified. Files are written with mode
 * 100644, whatever they had before: that is the worst that GitHub may do, and nobody has written down what it does.
 */
export async function createCommitOnBranch(
  viewer: Viewer,
  { input }: { readonly input: CommitInput },
): Promise<GraphQlObject> {
  const { repository, branch } = branchOf(viewer, input.branch);
  demand(viewer, repository, "contents:write");
  const { git } = repository;
  const head = await readRef(git, `refs/heads/${branch}`);
  if (head === undefined) throw unresolved(`a Ref with the name '${branch}'`);
  if (head !== input.expectedHeadOid) throw stale(input.expectedHeadOid);
  const files = filesOf(input);
  await checkFiles(viewer, repository, head, files);
  const tree = await writeTree(git, head, await fileChanges(git, files));
  const date = viewer.world.clock.iso();
  const author = { ...identityOf(viewer.world.bot), date };
  const message = [input.message.headline, input.message.body]
    .filter((part) => part !== undefined && part !== "")
    .join("\n\n");
  const sha = await writeCommit(git, { tree, parents: [head], author, committer: { ...MERGER, date }, message });
  repository.verifiedCommits.add(sha);
  const moved = await viewer.world.repositories.branches.move(repository, branch, head, sha, viewer.world.bot);
  if (!moved) throw stale(input.expectedHeadOid);
  const commit = commitObject(viewer, repository, await readCommit(git, sha));
  const ref = refObject(viewer, repository, { name: `refs/heads/${branch}`, sha });
  return { clientMutationId: input.clientMutationId ?? null, commit, ref };
}

function branchOf(viewer: Viewer, input: CommitInput["branch"]): { repository: Repository; branch: string } {
  if (input.id !== undefined) {
    const node = nodeOf(viewer, input.id);
    if (node.kind !== "ref") throw unresolved(`a Ref with the global id of '${input.id}'`);
    return { repository: node.repository, branch: node.name.replace(/^refs\/heads\//, "") };
  }
  const repository = visibleRepository(viewer, input.repositoryNameWithOwner ?? "");
  return { repository, branch: (input.branchName ?? "").replace(/^refs\/heads\//, "") };
}

function filesOf(input: CommitInput): Files {
  const { additions = [], deletions = [] } = input.fileChanges ?? {};
  const paths = [...additions, ...deletions].map(({ path }) => path);
  if (new Set(paths).size < paths.length) throw new TypedError("UNPROCESSABLE", "Each path may be changed only once");
  const bad = additions.find(({ contents }) => !/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(contents));
  if (bad !== undefined) throw new TypedError("UNPROCESSABLE", `The contents of ${bad.path} are not base64`);
  const written = additions.map(({ path, contents }) => [path, Buffer.from(contents, "base64")] as const);
  return Object.fromEntries([...written, ...deletions.map(({ path }) => [path, null] as const)]);
}

async function checkFiles(viewer: Viewer, repository: Repository, head: string, files: Files): Promise<void> {
  if (touchesWorkflows(Object.keys(files)) && !allows(viewer.token.permissions, "workflows:write")) throw forbidden();
  const deleted = Object.entries(files).filter(([, content]) => content === null);
  for (const [path] of deleted) {
    if ((await readEntry(repository.git, head, path)) !== undefined) continue;
    throw new TypedError(
      "NOT_FOUND",
      `A path was requested for deletion which does not exist as of commit oid \`${head}\``,
    );
  }
}

/** GitHub's words, both spaces included. */
function stale(expected: string): TypedError {
  return new TypedError("STALE_DATA", `Expected branch to point to "${expected}" but it did not.  Pull and try again.`);
}
