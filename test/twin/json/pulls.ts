import type { Account } from "../world/account.ts";
import type { PullIssue, Review, ReviewComment } from "../world/issue.ts";
import type { Repository } from "../world/repository.ts";
import type { World } from "../world/world.ts";
import { type Json, userJson } from "./accounts.ts";
import { associationOf, issuePage, labelJson, reactionsJson } from "./issues.ts";
import { nodeId } from "./node-id.ts";
import { repositoryJson, repositoryUrl } from "./repositories.ts";

/** The address of a pull request in the API. */
function pullUrl(world: World, issue: PullIssue): string {
  return `${repositoryUrl(world, issue.repository)}/pulls/${issue.number}`;
}

/** `pull-request-simple`, as lists show it. */
export function simplePullJson(world: World, issue: PullIssue): Json {
  const { repository, pull } = issue;
  const page = issuePage(world, issue);
  const urls = urlsOf(world, issue);
  const end = (side: { ref: string; sha: string }, owner: Account, repo: Repository | null): Json => ({
    label: `${owner.login}:${side.ref}`,
    ref: side.ref,
    sha: side.sha,
    user: userJson(world, owner),
    repo: repo === null ? null : repositoryJson(world, repo),
  });
  return {
    ...urls,
    id: pull.id,
    node_id: nodeId("PR", pull.id),
    html_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    number: issue.number,
    state: issue.state,
    locked: issue.locked,
    title: issue.title,
    user: userJson(world, issue.author),
    body: issue.body,
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    closed_at: issue.closedAt,
    merged_at: pull.mergedAt,
    merge_commit_sha: pull.mergeCommitSha,
    assignee: null,
    assignees: [],
    requested_reviewers: [],
    requested_teams: [],
    labels: issue.labels.map((label) => labelJson(world, repository, label)),
    milestone: null,
    draft: pull.draft,
    head: end(pull.head, pull.head.owner, pull.head.repository),
    base: end(pull.base, repository.owner, repository),
    _links: linksOf(urls, page),
    author_association: associationOf(repository, issue.author),
    auto_merge: null,
    active_lock_reason: null,
  };
}

/** `pull-request`, the answer about one. */
export function pullJson(world: World, issue: PullIssue): Json {
  const { pull } = issue;
  const open = issue.state === "open";
  return {
    ...simplePullJson(world, issue),
    merged: pull.mergedAt !== null,
    mergeable: open ? pull.mergeable : null,
    rebaseable: open ? pull.mergeable : null,
    mergeable_state: !open || pull.mergeable === null ? "unknown" : pull.mergeable ? "clean" : "dirty",
    merged_by: pull.mergedBy === null ? null : userJson(world, pull.mergedBy),
    comments: issue.comments.length,
    review_comments: pull.reviewComments.length,
    maintainer_can_modify: pull.maintainerCanModify,
    commits: pull.size.commits,
    additions: pull.size.additions,
    deletions: pull.size.deletions,
    changed_files: pull.size.changedFiles,
  };
}

/** `pull-request-minimal`, as checks name the pull requests that they belong to. */
export function minimalPullJson(world: World, issue: PullIssue): Json {
  const { repository, pull } = issue;
  const repo = (of: Repository): Json => ({ id: of.id, url: repositoryUrl(world, of), name: of.name });
  return {
    id: pull.id,
    number: issue.number,
    url: pullUrl(world, issue),
    head: { ref: pull.head.ref, sha: pull.head.sha, repo: repo(pull.head.repository ?? repository) },
    base: { ref: pull.base.ref, sha: pull.base.sha, repo: repo(repository) },
  };
}

function urlsOf(world: World, issue: PullIssue): Record<string, string> {
  const url = pullUrl(world, issue);
  const issueUrl = `${repositoryUrl(world, issue.repository)}/issues/${issue.number}`;
  return {
    url,
    issue_url: issueUrl,
    commits_url: `${url}/commits`,
    review_comments_url: `${url}/comments`,
    review_comment_url: `${repositoryUrl(world, issue.repository)}/pulls/comments{/number}`,
    comments_url: `${issueUrl}/comments`,
    statuses_url: `${repositoryUrl(world, issue.repository)}/statuses/${issue.pull.head.sha}`,
  };
}

function linksOf(urls: Record<string, string>, page: string): Json {
  const link = (name: string): Json => ({ href: urls[name] });
  return {
    self: link("url"),
    html: { href: page },
    issue: link("issue_url"),
    comments: link("comments_url"),
    review_comments: link("review_comments_url"),
    review_comment: link("review_comment_url"),
    commits: link("commits_url"),
    statuses: link("statuses_url"),
  };
}

/** `pull-request-review`. */
export function reviewJson(world: World, issue: PullIssue, review: Review): Json {
  const page = `${issuePage(world, issue)}#pullrequestreview-${review.id}`;
  return {
    id: review.id,
    node_id: nodeId("PRR", review.id),
    user: userJson(world, review.author),
    body: review.body,
    state: review.state,
    html_url: page,
    pull_request_url: pullUrl(world, issue),
    author_association: associationOf(issue.repository, review.author),
    _links: { html: { href: page }, pull_request: { href: pullUrl(world, issue) } },
    ...(review.submittedAt === null ? {} : { submitted_at: review.submittedAt }),
    commit_id: review.commitId,
  };
}

/** `pull-request-review-comment`. */
export function reviewCommentJson(world: World, issue: PullIssue, comment: ReviewComment): Json {
  const url = `${repositoryUrl(world, issue.repository)}/pulls/comments/${comment.id}`;
  const page = `${issuePage(world, issue)}#discussion_r${comment.id}`;
  const lines =
    comment.line === null
      ? {}
      : { line: comment.line, original_line: comment.line, position: comment.line, original_position: comment.line };
  return {
    url,
    pull_request_review_id: comment.reviewId,
    id: comment.id,
    node_id: nodeId("PRRC", comment.id),
    diff_hunk: comment.diffHunk,
    path: comment.path,
    ...lines,
    start_line: comment.startLine,
    original_start_line: comment.startLine,
    start_side: comment.startSide,
    side: comment.side,
    subject_type: comment.subjectType,
    commit_id: comment.commitId,
    original_commit_id: comment.commitId,
    user: userJson(world, comment.author),
    body: comment.body,
    created_at: comment.createdAt,
    updated_at: comment.createdAt,
    html_url: page,
    pull_request_url: pullUrl(world, issue),
    author_association: associationOf(issue.repository, comment.author),
    ...(comment.inReplyTo === null ? {} : { in_reply_to_id: comment.inReplyTo }),
    _links: { self: { href: url }, html: { href: page }, pull_request: { href: pullUrl(world, issue) } },
    reactions: reactionsJson(url, comment.reactions),
  };
}
