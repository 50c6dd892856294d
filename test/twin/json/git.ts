import type { CommitSummary, Signature } from "../git/commits.ts";
import type { FileDifference } from "../git/differences.ts";
import type { Ref } from "../git/refs.ts";
import { MERGER_EMAIL } from "../world/commit-identity.ts";
import type { Repository } from "../world/repository.ts";
import type { World } from "../world/world.ts";
import { type Json, userJson } from "./accounts.ts";
import { nodeId } from "./node-id.ts";
import { repositoryPage, repositoryUrl } from "./repositories.ts";

/** `git-ref`. */
export function refJson(world: World, repository: Repository, ref: Ref): Json {
  const url = repositoryUrl(world, repository);
  const object = { sha: ref.sha, type: "commit", url: `${url}/git/commits/${ref.sha}` };
  return {
    ref: ref.name,
    node_id: nodeId("REF", `${repository.id}:${ref.name}`),
    url: `${url}/git/${ref.name}`,
    object,
  };
}

/** `verification`: only what GitHub made itself counts as signed. */
function verificationJson(repository: Repository, commit: CommitSummary): Json {
  if (!repository.verifiedCommits.has(commit.sha)) {
    return { verified: false, reason: "unsigned", signature: null, payload: null, verified_at: null };
  }
  const payload = `tree ${commit.tree}\nauthor ${commit.author.name}\n\n${commit.message}`;
  const signature = "-----BEGIN PGP SIGNATURE-----\n\n(the twin signs nothing)\n-----END PGP SIGNATURE-----\n";
  return { verified: true, reason: "valid", signature, payload, verified_at: commit.committer.date };
}

/** `git-commit`, of the Git Data API. */
export function gitCommitJson(world: World, repository: Repository, commit: CommitSummary): Json {
  const url = repositoryUrl(world, repository);
  const page = repositoryPage(world, repository);
  return {
    sha: commit.sha,
    node_id: nodeId("C", `${repository.id}:${commit.sha}`),
    url: `${url}/git/commits/${commit.sha}`,
    html_url: `${page}/commit/${commit.sha}`,
    author: commit.author,
    committer: commit.committer,
    tree: { sha: commit.tree, url: `${url}/git/trees/${commit.tree}` },
    message: commit.message,
    parents: commit.parents.map((sha) => ({
      sha,
      url: `${url}/git/commits/${sha}`,
      html_url: `${page}/commit/${sha}`,
    })),
    verification: verificationJson(repository, commit),
  };
}

/** `commit`, with accounts beside the names; `files` makes it the answer about one commit. */
export function commitJson(
  world: World,
  repository: Repository,
  commit: CommitSummary,
  files?: readonly FileDifference[],
): Json {
  const url = repositoryUrl(world, repository);
  const git = gitCommitJson(world, repository, commit);
  const { parents, html_url, node_id, sha } = git;
  const inner = {
    message: commit.message,
    author: commit.author,
    committer: commit.committer,
    tree: git["tree"],
    url: git["url"],
  };
  return {
    sha,
    node_id,
    html_url,
    url: `${url}/commits/${commit.sha}`,
    comments_url: `${url}/commits/${commit.sha}/comments`,
    commit: { ...inner, comment_count: 0, verification: git["verification"] },
    author: accountOf(world, commit.author),
    committer: accountOf(world, commit.committer),
    parents,
    ...(files === undefined
      ? {}
      : { stats: stats(files), files: files.map((file) => fileJson(world, repository, commit.sha, file)) }),
  };
}

/** `simple-commit`, inside check suites and workflow runs. */
export function simpleCommitJson(commit: CommitSummary): Json {
  const person = ({ name, email }: Signature): Json => ({ name, email });
  return {
    id: commit.sha,
    tree_id: commit.tree,
    message: commit.message,
    timestamp: commit.committer.date,
    author: person(commit.author),
    committer: person(commit.committer),
  };
}

/** `diff-entry`. */
export function fileJson(world: World, repository: Repository, commit: string, file: FileDifference): Json {
  const page = repositoryPage(world, repository);
  const path = file.path.split("/").map(encodeURIComponent).join("/");
  return {
    sha: file.sha,
    filename: file.path,
    status: file.status,
    additions: file.additions,
    deletions: file.deletions,
    changes: file.additions + file.deletions,
    blob_url: `${page}/blob/${commit}/${path}`,
    raw_url: `${page}/raw/${commit}/${path}`,
    contents_url: `${repositoryUrl(world, repository)}/contents/${path}?ref=${commit}`,
    ...(file.patch === undefined ? {} : { patch: file.patch }),
    ...(file.previousPath === null ? {} : { previous_filename: file.previousPath }),
  };
}

function stats(files: readonly FileDifference[]): Json {
  const additions = files.reduce((sum, file) => sum + file.additions, 0);
  const deletions = files.reduce((sum, file) => sum + file.deletions, 0);
  return { total: additions + deletions, additions, deletions };
}

/** GitHub finds the account by the e-mail address; web-flow is the account behind its own. */
function accountOf(world: World, { email }: Signature): Json | null {
  if (email === MERGER_EMAIL) return userJson(world, world.accounts.webFlow);
  const id = /^(\d+)\+.*@users\.noreply\.github\.com$/.exec(email)?.[1];
  const account = id === undefined ? undefined : world.accounts.byId(Number(id));
  return account === undefined ? null : userJson(world, account);
}
