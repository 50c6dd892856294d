import { type CommitSummary, readCommit } from "../git/commits.ts";
import { objectType, readBlob, readEntry } from "../git/objects.ts";
import { type Ref, readRef, resolveCommit } from "../git/refs.ts";
import { issuePage } from "../json/issues.ts";
import { nodeId } from "../json/node-id.ts";
import { repositoryPage } from "../json/repositories.ts";
import type { Account } from "../world/account.ts";
import type { Comment, Issue, PullIssue } from "../world/issue.ts";
import { fullName, type Repository } from "../world/repository.ts";
import { unresolved } from "./graphql-error.ts";
import { type ConnectionArguments, reviewConnection } from "./reviews.ts";
import { demand, type Viewer } from "./viewer.ts";

/** The object of a type of GitHub's schema; fields that are functions take the field's arguments. */
export type GraphQlObject = Record<string, unknown>;

/** `Repository`. */
export function repositoryObject(viewer: Viewer, repository: Repository): GraphQlObject {
  const numbered = (number: number): Issue => {
    const issue = repository.issues.get(number);
    if (issue === undefined) throw unresolved(`an Issue or PullRequest with the number of ${number}`);
    demand(viewer, repository, issue.pull === null ? "issues:read" : "pull_requests:read");
    return issue;
  };
  const ref = async (name: string): Promise<GraphQlObject | null> => {
    demand(viewer, repository, "contents:read");
    const qualified = name.startsWith("refs/") ? name : `refs/heads/${name}`;
    const sha = await readRef(repository.git, qualified);
    return sha === undefined ? null : refObject(viewer, repository, { name: qualified, sha });
  };
  return {
    __typename: "Repository",
    id: nodeId("R", repository.id),
    databaseId: repository.id,
    name: repository.name,
    nameWithOwner: fullName(repository),
    url: repositoryPage(viewer.world, repository),
    isPrivate: repository.private,
    isArchived: repository.archived,
    isFork: repository.parent !== null,
    owner: actorObject(viewer, repository.owner),
    defaultBranchRef: () => ref(repository.defaultBranch),
    ref: ({ qualifiedName }: { qualifiedName: string }) => ref(qualifiedName),
    object: (args: { oid?: string; expression?: string }) =>
      objectOf(viewer, repository, args.oid ?? args.expression ?? ""),
    issue: ({ number }: { number: number }) => issueObject(viewer, numbered(number)),
    pullRequest: ({ number }: { number: number }) => pullObject(viewer, numbered(number) as PullIssue),
  };
}

/** A commit or, for an expression like `main:path`, a blob. */
async function objectOf(viewer: Viewer, repository: Repository, expression: string): Promise<GraphQlObject | null> {
  demand(viewer, repository, "contents:read");
  const [revision = "", path] = expression.split(/:(.*)/s);
  const sha = await resolveCommit(repository.git, revision);
  if (sha === undefined) return null;
  if (path === undefined) return commitObject(viewer, repository, await readCommit(repository.git, sha));
  const entry = await readEntry(repository.git, sha, path);
  if (entry === undefined || (await objectType(repository.git, entry.sha)) !== "blob") return null;
  const text = (await readBlob(repository.git, entry.sha))?.toString("utf8") ?? null;
  return {
    __typename: "Blob",
    id: nodeId("B", entry.sha),
    oid: entry.sha,
    byteSize: entry.size,
    isBinary: text?.includes("\0") ?? null,
    text,
  };
}

/** `Ref`. */
export function refObject(viewer: Viewer, repository: Repository, ref: Ref): GraphQlObject {
  const [, prefix = "", name = ""] = /^(refs\/[^/]+\/)(.+)$/.exec(ref.name) ?? [];
  const target = async (): Promise<GraphQlObject> =>
    commitObject(viewer, repository, await readCommit(repository.git, ref.sha));
  return { __typename: "Ref", id: nodeId("REF", `${repository.id}:${ref.name}`), name, prefix, target };
}

/** `Commit`. */
export function commitObject(viewer: Viewer, repository: Repository, commit: CommitSummary): GraphQlObject {
  const [headline = "", ...rest] = commit.message.split("\n");
  const url = `${repositoryPage(viewer.world, repository)}/commit/${commit.sha}`;
  const verified = repository.verifiedCommits.has(commit.sha);
  const signature = { __typename: "GpgSignature", isValid: true, state: "VALID", wasSignedByGitHub: true };
  return {
    __typename: "Commit",
    id: nodeId("C", `${repository.id}:${commit.sha}`),
    oid: commit.sha,
    abbreviatedOid: commit.sha.slice(0, 7),
    url,
    commitUrl: url,
    message: commit.message,
    messageHeadline: headline,
    messageBody: rest.join("\n").trim(),
    authoredDate: commit.author.date,
    committedDate: commit.committer.date,
    tree: { __typename: "Tree", id: nodeId("T", `${repository.id}:${commit.tree}`), oid: commit.tree },
    signature: verified ? signature : null,
  };
}

/** `IssueComment`. */
export function commentObject(viewer: Viewer, comment: Comment): GraphQlObject {
  return {
    __typename: "IssueComment",
    id: nodeId("IC", comment.id),
    databaseId: comment.id,
    fullDatabaseId: String(comment.id),
    body: comment.body,
    createdAt: comment.createdAt,
    lastEditedAt: comment.editedAt,
    url: `${issuePage(viewer.world, comment.issue)}#issuecomment-${comment.id}`,
    author: actorObject(viewer, comment.author),
    isMinimized: comment.minimizedReason !== null,
    minimizedReason: comment.minimizedReason,
  };
}

/** `Issue`. */
export function issueObject(viewer: Viewer, issue: Issue): GraphQlObject {
  const { number, title, body, locked } = issue;
  const fields = {
    number,
    title,
    body: body ?? "",
    locked,
    state: issue.state.toUpperCase(),
    author: actorObject(viewer, issue.author),
    lastEditedAt: issue.editedAt,
    timelineItems: () => ({ nodes: renames(issue) }),
    comments: ({ last = 100 }: { last?: number }) => ({
      nodes: issue.comments.slice(-last).map((comment) => commentObject(viewer, comment)),
    }),
  };
  const id = issue.pull === null ? nodeId("I", issue.id) : nodeId("PR", issue.pull.id);
  return { __typename: "Issue", id, url: issuePage(viewer.world, issue), ...fields };
}

/** The last `RenamedTitleEvent`, which is the only item of a timeline that anybody asked for yet. */
function renames(issue: Issue): GraphQlObject[] {
  return issue.renamedAt === null ? [] : [{ __typename: "RenamedTitleEvent", createdAt: issue.renamedAt }];
}

/** `PullRequest`. */
export function pullObject(viewer: Viewer, issue: PullIssue): GraphQlObject {
  const { pull } = issue;
  const mergeable = pull.mergeable === null ? "UNKNOWN" : pull.mergeable ? "MERGEABLE" : "CONFLICTING";
  return {
    ...issueObject(viewer, issue),
    __typename: "PullRequest",
    state: pull.mergedAt === null ? issue.state.toUpperCase() : "MERGED",
    isDraft: pull.draft,
    merged: pull.mergedAt !== null,
    mergeable,
    headRefName: pull.head.ref,
    headRefOid: pull.head.sha,
    baseRefName: pull.base.ref,
    baseRefOid: pull.base.sha,
    reviews: (args: ConnectionArguments) => reviewConnection(viewer, issue, args),
  };
}

/** `Actor`. */
export function actorObject(viewer: Viewer, account: Account): GraphQlObject {
  const url = `${viewer.world.addresses.web}/${account.login}`;
  // GraphQL gives bots without the suffix that REST writes.
  const login = account.login.replace(/\[bot\]$/, "");
  return {
    __typename: account.type,
    id: nodeId(account.type === "Bot" ? "BOT" : "U", account.id),
    login,
    url,
    databaseId: account.id,
  };
}
