import { differences, type FileDifference, mergeBase } from "../git/differences.ts";
import { type Answer, ApiError, found, validationFailed } from "../http/answer.ts";
import type { Call, Input, Route } from "../http/call.ts";
import { page } from "../http/pagination.ts";
import { reviewCommentJson, reviewJson } from "../json/pulls.ts";
import type { PullIssue, Review, ReviewComment } from "../world/issue.ts";
import { hunkAt } from "./hunks.ts";
import { checkBody } from "./issues.ts";
import { pullOf } from "./pulls.ts";

/** Reviews, and comments on the difference. */
export const reviewRoutes: readonly Route[] = [
  { on: "GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews", needs: "pull_requests:read", answer: listReviews },
  { on: "POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews", needs: "pull_requests:write", answer: createReview },
  {
    on: "PUT /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}/dismissals",
    needs: "pull_requests:write",
    answer: dismissReview,
  },
  { on: "GET /repos/{owner}/{repo}/pulls/{pull_number}/comments", needs: "pull_requests:read", answer: listComments },
  {
    on: "POST /repos/{owner}/{repo}/pulls/{pull_number}/comments",
    needs: "pull_requests:write",
    answer: createComment,
  },
];

const STATES: Readonly<Record<string, Review["state"]>> = {
  APPROVE: "APPROVED",
  REQUEST_CHANGES: "CHANGES_REQUESTED",
  COMMENT: "COMMENTED",
};

type NewComment = Omit<ReviewComment, "id" | "reviewId" | "createdAt" | "reactions" | "author">;

function listReviews(call: Call): Answer {
  const issue = pullOf(call);
  return page(call, issue.pull.reviews, (review) => reviewJson(call.world, issue, review));
}

function listComments(call: Call): Answer {
  const issue = pullOf(call);
  return page(call, issue.pull.reviewComments, (comment) => reviewCommentJson(call.world, issue, comment));
}

/** All or nothing: one comment outside of the difference refuses the whole review. */
async function createReview(call: Call): Promise<Answer> {
  const issue = pullOf(call);
  const input = call.input<"pulls", "createReview">();
  const { event, body = "", commit_id: commitId = issue.pull.head.sha } = input;
  if (issue.author.id === call.actor.id && event === "APPROVE")
    throw new ApiError(422, "Can not approve your own pull request");
  if (issue.author.id === call.actor.id && event === "REQUEST_CHANGES") {
    throw new ApiError(422, "Review Can not request changes on your own pull request");
  }
  checkBody("PullRequestReview", body, event === "REQUEST_CHANGES");
  const files = await filesOf(issue);
  const comments = (input.comments ?? []).map((comment) => place(issue, files, { ...comment, commit_id: commitId }));
  const state = STATES[event ?? ""] ?? "PENDING";
  const review = call.world.pulls.review(issue, { author: call.actor, body, state, commitId }, comments);
  return { status: 200, body: reviewJson(call.world, issue, review) };
}

function dismissReview(call: Call): Answer {
  const issue = pullOf(call);
  const review = found(issue.pull.reviews.find(({ id }) => id === call.number("review_id")));
  if (review.state !== "APPROVED" && review.state !== "CHANGES_REQUESTED") {
    throw new ApiError(422, "Can not dismiss a commented pull request review");
  }
  call.world.pulls.dismissReview(issue, review, call.actor);
  return { status: 200, body: reviewJson(call.world, issue, review) };
}

async function createComment(call: Call): Promise<Answer> {
  const issue = pullOf(call);
  const input = call.input<"pulls", "createReviewComment">();
  checkBody("PullRequestReviewComment", input.body, true);
  const known = issue.pull.reviewComments.find(({ id }) => id === input.in_reply_to);
  if (input.in_reply_to !== undefined) found(known);
  const placed = place(issue, await filesOf(issue), input);
  const added = call.world.pulls.addReviewComment(issue, {
    ...placed,
    author: call.actor,
    reviewId: null,
    inReplyTo: known?.id ?? null,
  });
  return { status: 201, body: reviewCommentJson(call.world, issue, added) };
}

type PlacedInput = Pick<
  Input<"pulls", "createReviewComment">,
  "path" | "body" | "commit_id" | "line" | "start_line" | "subject_type"
> & {
  readonly side?: string | undefined;
  readonly start_side?: string | undefined;
};

function place(issue: PullIssue, files: readonly FileDifference[], input: PlacedInput): NewComment {
  const { path, body, commit_id: commitId, line, start_line: startLine, subject_type: subjectType = "line" } = input;
  const side = input.side === "LEFT" ? "LEFT" : "RIGHT";
  const file = files.find((candidate) => candidate.path === path);
  if (file === undefined) throw unplaced("path", "path could not be resolved");
  const whole = subjectType === "file";
  const hunk = whole || line === undefined ? undefined : hunkAt(file.patch ?? "", side, line, startLine);
  if (!whole && hunk === undefined) throw unplaced("line", "line must be part of the diff");
  const startSide = startLine === undefined ? null : side;
  const lines = whole ? { line: null, startLine: null } : { line: line ?? null, startLine: startLine ?? null };
  return {
    path,
    body,
    commitId: commitId ?? issue.pull.head.sha,
    side,
    startSide,
    subjectType,
    diffHunk: hunk ?? "",
    inReplyTo: null,
    ...lines,
  };
}

function unplaced(field: string, message: string): ApiError {
  return validationFailed({
    resource: "PullRequestReviewComment",
    field,
    code: "custom",
    message: `pull_request_review_thread.${message}`,
  });
}

async function filesOf(issue: PullIssue): Promise<FileDifference[]> {
  const { git } = issue.repository;
  const start = (await mergeBase(git, issue.pull.base.sha, issue.pull.head.sha)) ?? null;
  return differences(git, start, issue.pull.head.sha);
}
