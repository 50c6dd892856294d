import { readCommit, type Signature, writeCommit } from "../git/commits.ts";
import { objectType, readBlob, readTree, type TreeChange, writeBlobs, writeTree } from "../git/objects.ts";
import { resolveCommit } from "../git/refs.ts";
import { type Answer, ApiError, found, notAccessible, validationFailed } from "../http/answer.ts";
import type { Call, Input, Route } from "../http/call.ts";
import { gitCommitJson } from "../json/git.ts";
import { nodeId } from "../json/node-id.ts";
import { repositoryUrl } from "../json/repositories.ts";
import { identityOf, MERGER } from "../world/commit-identity.ts";
import { allows } from "../world/tokens.ts";
import { touchesWorkflows } from "../world/workflow-files.ts";

/** Blobs, trees and commits, one by one. */
export const gitDataRoutes: readonly Route[] = [
  { on: "POST /repos/{owner}/{repo}/git/blobs", needs: "contents:write", answer: createBlob },
  { on: "GET /repos/{owner}/{repo}/git/blobs/{file_sha}", needs: "contents:read", answer: getBlob },
  { on: "POST /repos/{owner}/{repo}/git/trees", needs: "contents:write", answer: createTree },
  { on: "GET /repos/{owner}/{repo}/git/trees/{tree_sha}", needs: "contents:read", answer: getTree },
  { on: "POST /repos/{owner}/{repo}/git/commits", needs: "contents:write", answer: createCommit },
  { on: "GET /repos/{owner}/{repo}/git/commits/{commit_sha}", needs: "contents:read", answer: getCommit },
];

async function createBlob(call: Call): Promise<Answer> {
  const { content, encoding = "utf-8" } = call.input<"git", "createBlob">();
  const data = Buffer.from(content, encoding === "base64" ? "base64" : "utf8");
  const [sha = ""] = await writeBlobs(call.repository.git, [data]);
  return { status: 201, body: { sha, url: blobUrl(call, sha) } };
}

async function getBlob(call: Call): Promise<Answer> {
  const sha = call.parameter("file_sha");
  const data = found(await readBlob(call.repository.git, sha));
  const content = data.toString("base64");
  return {
    status: 200,
    body: { sha, node_id: nodeId("B", sha), size: data.length, url: blobUrl(call, sha), content, encoding: "base64" },
  };
}

async function createTree(call: Call): Promise<Answer> {
  const { tree, base_tree: base } = call.input<"git", "createTree">();
  const { git } = call.repository;
  const paths = tree.map(({ path }) => path ?? "");
  // Without the permission GitHub names no reason: the answer is that of any missing permission.
  if (touchesWorkflows(paths) && !allows(call.token.permissions, "workflows:write")) throw notAccessible();
  if (base !== undefined && !["tree", "commit"].includes((await objectType(git, base)) ?? "")) throw notFoundTree();
  const known = base === undefined ? [] : (await readTree(git, base, true)).map(({ path }) => path);
  const changes: TreeChange[] = [];
  for (const entry of tree) changes.push(await changeOf(call, entry, known));
  const sha = await writeTree(git, base ?? null, changes);
  return { status: 201, body: await treeJson(call, sha, false) };
}

type TreeInput = Input<"git", "createTree">["tree"][number];

async function changeOf(call: Call, entry: TreeInput, known: readonly string[]): Promise<TreeChange> {
  const { path = "", mode = "100644", sha, content } = entry;
  if (path === "" || path.startsWith("/") || path.split("/").some((part) => ["", ".", "..", ".git"].includes(part))) {
    throw new ApiError(422, "tree.path contains a malformed path component");
  }
  if (sha === null) {
    if (!known.includes(path)) throw new ApiError(422, "GitRPC::BadObjectState");
    return { path, mode, sha: null };
  }
  if (content !== undefined) {
    const [written = ""] = await writeBlobs(call.repository.git, [Buffer.from(content)]);
    return { path, mode, sha: written };
  }
  if (sha === undefined || (mode !== "160000" && (await objectType(call.repository.git, sha)) === undefined)) {
    throw new ApiError(422, `tree.sha ${sha} is not a valid blob`);
  }
  return { path, mode, sha };
}

async function getTree(call: Call): Promise<Answer> {
  const name = call.parameter("tree_sha");
  const { git } = call.repository;
  const sha = (await objectType(git, name)) === "tree" ? name : await resolveCommit(git, name);
  return {
    status: 200,
    body: await treeJson(
      call,
      await git.text(["rev-parse", `${found(sha)}^{tree}`]),
      call.query["recursive"] !== undefined,
    ),
  };
}

async function treeJson(call: Call, sha: string, recursive: boolean): Promise<object> {
  const url = repositoryUrl(call.world, call.repository);
  const entries = await readTree(call.repository.git, sha, recursive);
  const tree = entries.map(({ path, mode, type, sha: object, size }) => ({
    path,
    mode,
    type,
    sha: object,
    ...(size === null ? {} : { size }),
    ...(type === "commit" ? {} : { url: `${url}/git/${type}s/${object}` }),
  }));
  return { sha, url: `${url}/git/trees/${sha}`, tree, truncated: false };
}

/** A commit whose author and committer are left to GitHub is signed by it; any other one is not. */
async function createCommit(call: Call): Promise<Answer> {
  const { message, tree, parents = [], author, committer, signature } = call.input<"git", "createCommit">();
  const { git } = call.repository;
  if ((await objectType(git, tree)) !== "tree") throw notFoundTree();
  for (const parent of parents) {
    if ((await objectType(git, parent)) !== "commit")
      throw validationFailed({ resource: "Commit", field: "parents", code: "invalid" });
  }
  const date = call.world.clock.iso();
  const own = author === undefined && committer === undefined && signature === undefined;
  const by: Signature = { ...identityOf(call.actor), date, ...author };
  const sha = await writeCommit(git, {
    message,
    tree,
    parents,
    author: by,
    committer: own ? { ...MERGER, date } : { ...by, ...committer },
  });
  if (own) call.repository.verifiedCommits.add(sha);
  return { status: 201, body: gitCommitJson(call.world, call.repository, await readCommit(git, sha)) };
}

async function getCommit(call: Call): Promise<Answer> {
  const sha = call.parameter("commit_sha");
  if ((await objectType(call.repository.git, sha)) !== "commit") throw new ApiError(404, "Not Found");
  return { status: 200, body: gitCommitJson(call.world, call.repository, await readCommit(call.repository.git, sha)) };
}

function blobUrl(call: Call, sha: string): string {
  return `${repositoryUrl(call.world, call.repository)}/git/blobs/${sha}`;
}

function notFoundTree(): ApiError {
  return new ApiError(422, "Tree SHA does not exist");
}
