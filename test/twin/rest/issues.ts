import { type Answer, ApiError, found, validationFailed } from "../http/answer.ts";
import type { Call, Needs, Route } from "../http/call.ts";
import { page } from "../http/pagination.ts";
import { commentJson, issueJson, labelJson } from "../json/issues.ts";
import type { Comment, Issue, PullIssue } from "../world/issue.ts";

/** Longest body of an issue, a comment or a pull request, in characters. */
const LONGEST_BODY = 65_536;

/** Issues, which pull requests are too, with their comments and labels. */
export const issueRoutes: readonly Route[] = [
  {
    on: "GET /repos/{owner}/{repo}/issues/{issue_number}",
    needs: forIssue("read"),
    answer: (call) => ({ status: 200, body: issueJson(call.world, issueOf(call)) }),
  },
  { on: "PATCH /repos/{owner}/{repo}/issues/{issue_number}", needs: forIssue("write"), answer: updateIssue },
  { on: "GET /repos/{owner}/{repo}/issues", needs: "issues:read", answer: listIssues },
  { on: "GET /repos/{owner}/{repo}/issues/{issue_number}/comments", needs: forIssue("read"), answer: listComments },
  { on: "POST /repos/{owner}/{repo}/issues/{issue_number}/comments", needs: forIssue("write"), answer: createComment },
  {
    on: "GET /repos/{owner}/{repo}/issues/comments/{comment_id}",
    needs: forComment("read"),
    answer: (call) => ({ status: 200, body: commentJson(call.world, commentOf(call)) }),
  },
  { on: "PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}", needs: forComment("write"), answer: updateComment },
  {
    on: "DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}",
    needs: forComment("write"),
    answer: deleteComment,
  },
  {
    on: "GET /repos/{owner}/{repo}/issues/{issue_number}/labels",
    needs: forIssue("read"),
    answer: (call) => labels(call),
  },
  { on: "POST /repos/{owner}/{repo}/issues/{issue_number}/labels", needs: forIssue("write"), answer: addLabels },
  {
    on: "DELETE /repos/{owner}/{repo}/issues/{issue_number}/labels/{name}",
    needs: forIssue("write"),
    answer: removeLabel,
  },
];

/** The issue of the path. */
export function issueOf(call: Call): Issue {
  return found(call.repository.issues.get(call.number("issue_number")));
}

/** The comment of the path. */
export function commentOf(call: Call): Comment {
  return found(call.world.issues.findComment(call.repository, call.number("comment_id")));
}

/** A pull request may be handled as an issue with either permission, an issue with its own only. */
export function forIssue(level: "read" | "write"): (call: Call) => Needs {
  return (call) => permissions(call.repository.issues.get(call.number("issue_number")), level);
}

/** The same for the issue of a comment. */
export function forComment(level: "read" | "write"): (call: Call) => Needs {
  return (call) => permissions(call.world.issues.findComment(call.repository, call.number("comment_id"))?.issue, level);
}

/** Refuses bodies that GitHub would not take. */
export function checkBody(resource: string, body: string | null | undefined, required: boolean): void {
  if (required && (body ?? "").trim() === "")
    throw validationFailed({ resource, field: "body", code: "custom", message: "body can't be blank" });
  if ([...(body ?? "")].length <= LONGEST_BODY) return;
  throw validationFailed({
    resource,
    field: "body",
    code: "custom",
    message: `body is too long (maximum is ${LONGEST_BODY} characters)`,
  });
}

function permissions(issue: Issue | undefined, level: "read" | "write"): Needs {
  return issue?.pull == null ? `issues:${level}` : [`issues:${level}`, `pull_requests:${level}`];
}

function updateIssue(call: Call): Answer {
  const issue = issueOf(call);
  const { title, body, state, state_reason: reason, labels: names } = call.input<"issues", "update">();
  checkBody("Issue", body, false);
  const change = { ...(title != null && { title: String(title) }), ...(body !== undefined && { body }) };
  if (Object.keys(change).length > 0) call.world.issues.edit(issue, change, call.actor);
  if (names !== undefined) {
    issue.labels.length = 0;
    for (const label of names) addLabel(call, issue, typeof label === "string" ? label : (label.name ?? ""));
  }
  if (state !== undefined && issue.pull !== null) call.world.pulls.setState(issue as PullIssue, state, call.actor);
  else if (state !== undefined) call.world.issues.setState(issue, state, call.actor, reason ?? null);
  return { status: 200, body: issueJson(call.world, issue) };
}

function listIssues(call: Call): Answer {
  const state = call.query["state"] ?? "open";
  const issues = [...call.repository.issues.values()].filter((issue) => state === "all" || issue.state === state);
  return page(call, issues.toReversed(), (issue) => issueJson(call.world, issue));
}

function listComments(call: Call): Answer {
  const since = call.query["since"];
  const comments = issueOf(call).comments.filter(
    (comment) => since === undefined || comment.updatedAt >= String(since),
  );
  return page(call, comments, (comment) => commentJson(call.world, comment));
}

function createComment(call: Call): Answer {
  const issue = issueOf(call);
  const { body } = call.input<"issues", "createComment">();
  if (issue.locked) throw new ApiError(403, "Unable to create comment because issue is locked.");
  checkBody("IssueComment", body, true);
  const comment = call.world.issues.comment(issue, call.actor, body, call.world.app);
  return { status: 201, body: commentJson(call.world, comment) };
}

function updateComment(call: Call): Answer {
  const comment = commentOf(call);
  const { body } = call.input<"issues", "updateComment">();
  checkBody("IssueComment", body, true);
  call.world.issues.editComment(comment, body, call.actor);
  return { status: 200, body: commentJson(call.world, comment) };
}

function deleteComment(call: Call): Answer {
  call.world.issues.deleteComment(commentOf(call), call.actor);
  return { status: 204 };
}

function labels(call: Call): Answer {
  return page(call, issueOf(call).labels, (label) => labelJson(call.world, call.repository, label));
}

function addLabels(call: Call): Answer {
  const issue = issueOf(call);
  const input = call.body as { labels?: unknown } | unknown[];
  const names = Array.isArray(input) ? input : ((input.labels ?? []) as unknown[]);
  for (const name of names) addLabel(call, issue, typeof name === "string" ? name : (name as { name: string }).name);
  return labels(call);
}

function addLabel(call: Call, issue: Issue, name: string): void {
  const label = call.world.issues.label(call.repository, name);
  if (!issue.labels.includes(label)) issue.labels.push(label);
}

function removeLabel(call: Call): Answer {
  const issue = issueOf(call);
  const index = issue.labels.findIndex(({ name }) => name.toLowerCase() === call.parameter("name").toLowerCase());
  if (index === -1) throw new ApiError(404, "Label does not exist");
  issue.labels.splice(index, 1);
  return labels(call);
}
