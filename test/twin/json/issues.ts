import type { Account } from "../world/account.ts";
import type { Comment, Issue, Label, Reaction } from "../world/issue.ts";
import type { Repository } from "../world/repository.ts";
import type { World } from "../world/world.ts";
import { integrationJson, type Json, userJson } from "./accounts.ts";
import { nodeId } from "./node-id.ts";
import { repositoryPage, repositoryUrl } from "./repositories.ts";

const REACTIONS = ["+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes"] as const;

/** `reaction-rollup`. */
export function reactionsJson(url: string, reactions: readonly Reaction[]): Json {
  const counts = REACTIONS.map((content) => [
    content,
    reactions.filter((reaction) => reaction.content === content).length,
  ]);
  return { url: `${url}/reactions`, total_count: reactions.length, ...Object.fromEntries(counts) };
}

/** `reaction`. */
export function reactionJson(world: World, reaction: Reaction): Json {
  const { id, content, createdAt } = reaction;
  return { id, node_id: nodeId("REA", id), user: userJson(world, reaction.user), content, created_at: createdAt };
}

/** `label`. */
export function labelJson(world: World, repository: Repository, label: Label): Json {
  return {
    id: label.id,
    node_id: nodeId("LA", label.id),
    url: `${repositoryUrl(world, repository)}/labels/${encodeURIComponent(label.name)}`,
    name: label.name,
    color: label.color,
    default: false,
    description: label.description,
  };
}

/**
 * `author_association`. It says who somebody is to a repository and not what they may do: a person who was given
 * write access shows as COLLABORATOR, and so does one who was given read access.
 */
export function associationOf(repository: Repository, author: Account): string {
  if (author.id === repository.owner.id) return "OWNER";
  if (repository.collaborators.has(author.id)) return "COLLABORATOR";
  return author.type === "Bot" ? "NONE" : "CONTRIBUTOR";
}

/** The page of an issue or a pull request. */
export function issuePage(world: World, issue: Issue): string {
  return `${repositoryPage(world, issue.repository)}/${issue.pull === null ? "issues" : "pull"}/${issue.number}`;
}

/** `issue`; a pull request has `pull_request` besides. */
export function issueJson(world: World, issue: Issue): Json {
  const { repository } = issue;
  const url = `${repositoryUrl(world, repository)}/issues/${issue.number}`;
  return {
    url,
    repository_url: repositoryUrl(world, repository),
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    html_url: issuePage(world, issue),
    id: issue.id,
    node_id: nodeId(issue.pull === null ? "I" : "PR", issue.pull?.id ?? issue.id),
    number: issue.number,
    title: issue.title,
    user: userJson(world, issue.author),
    labels: issue.labels.map((label) => labelJson(world, repository, label)),
    state: issue.state,
    locked: issue.locked,
    assignee: null,
    assignees: [],
    milestone: null,
    comments: issue.comments.length,
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    closed_at: issue.closedAt,
    author_association: associationOf(repository, issue.author),
    active_lock_reason: issue.locked ? "resolved" : null,
    body: issue.body,
    closed_by: issue.closedBy === null ? null : userJson(world, issue.closedBy),
    reactions: reactionsJson(url, issue.reactions),
    timeline_url: `${url}/timeline`,
    performed_via_github_app: issue.app === null ? null : integrationJson(world, issue.app),
    state_reason: issue.stateReason,
    ...pullPart(world, issue),
  };
}

function pullPart(world: World, issue: Issue): Json {
  if (issue.pull === null) return {};
  const page = issuePage(world, issue);
  const url = `${repositoryUrl(world, issue.repository)}/pulls/${issue.number}`;
  const links = { url, html_url: page, diff_url: `${page}.diff`, patch_url: `${page}.patch` };
  return { draft: issue.pull.draft, pull_request: { ...links, merged_at: issue.pull.mergedAt } };
}

/** `issue-comment`. */
export function commentJson(world: World, comment: Comment): Json {
  const { repository, number } = comment.issue;
  const url = `${repositoryUrl(world, repository)}/issues/comments/${comment.id}`;
  return {
    url,
    html_url: `${issuePage(world, comment.issue)}#issuecomment-${comment.id}`,
    issue_url: `${repositoryUrl(world, repository)}/issues/${number}`,
    id: comment.id,
    node_id: nodeId("IC", comment.id),
    user: userJson(world, comment.author),
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    author_association: associationOf(repository, comment.author),
    body: comment.body,
    reactions: reactionsJson(url, comment.reactions),
    performed_via_github_app: comment.app === null ? null : integrationJson(world, comment.app),
  };
}
