import { issuePage } from "../json/issues.ts";
import { nodeId } from "../json/node-id.ts";
import type { PullIssue, Review } from "../world/issue.ts";
import { actorObject, type GraphQlObject } from "./objects.ts";
import { demand, type Viewer } from "./viewer.ts";

/** What is asked of a list. */
export interface ConnectionArguments {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
  readonly before?: string | null;
}

/** `PullRequestReviewConnection`: pages are counted from the end or from the start, by the number of the review. */
export function reviewConnection(viewer: Viewer, issue: PullIssue, args: ConnectionArguments): GraphQlObject {
  demand(viewer, issue.repository, "pull_requests:read");
  const all = issue.pull.reviews;
  const from = args.after == null ? 0 : Number(args.after) + 1;
  const to = args.before == null ? all.length : Number(args.before);
  const start = args.last == null ? from : Math.max(from, to - args.last);
  const end = args.first == null ? to : Math.min(to, start + args.first);
  return {
    totalCount: all.length,
    nodes: all.slice(start, end).map((review) => reviewObject(viewer, issue, review)),
    pageInfo: {
      hasPreviousPage: start > 0,
      hasNextPage: end < all.length,
      startCursor: String(start),
      endCursor: String(end - 1),
    },
  };
}

/** `PullRequestReview`. */
export function reviewObject(viewer: Viewer, issue: PullIssue, review: Review): GraphQlObject {
  return {
    __typename: "PullRequestReview",
    id: nodeId("PRR", review.id),
    databaseId: review.id,
    fullDatabaseId: String(review.id),
    body: review.body,
    state: review.state,
    submittedAt: review.submittedAt,
    url: `${issuePage(viewer.world, issue)}#pullrequestreview-${review.id}`,
    author: actorObject(viewer, review.author),
    commit: { __typename: "Commit", oid: review.commitId },
    viewerDidAuthor: review.author.id === viewer.world.bot.id,
    isMinimized: review.minimizedReason !== null,
    minimizedReason: review.minimizedReason,
  };
}
