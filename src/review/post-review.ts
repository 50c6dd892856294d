import { z } from "zod";
import { type GitHub, once } from "../github/octokit.ts";
import { named, type Repository } from "../github/repository.ts";
import { codeSpan } from "../pull-request/neutralise.ts";
import type { InlineComment } from "./review-text.ts";

export interface PostedReview {
  readonly pullRequest: number;
  readonly headSha: string;
  readonly event: "COMMENT" | "REQUEST_CHANGES" | "APPROVE";
  readonly body: string;
  readonly comments: readonly InlineComment[];
}

/** A review of ours, as GitHub has it. */
export interface OwnReview {
  readonly nodeId: string;
  readonly id: number;
  readonly body: string;
  readonly state: string;
  readonly isMinimized: boolean;
}

const marker = (headSha: string) => `<!-- autolith:review=${headSha} -->`;
const anyMarker = "<!-- autolith:review=";

const reviewsQuery = `query ($owner: String!, $repo: String!, $number: Int!, $before: String) {
  viewer { login }
  repository(owner: $owner, name: $repo) {
    pullRequest(number: $number) {
      reviews(last: 50, before: $before) {
        nodes { id fullDatabaseId body state isMinimized author { __typename login } }
        pageInfo { hasPreviousPage startCursor }
      }
    }
  }
}`;

const reviewsAnswer = z.object({
  viewer: z.object({ login: z.string() }),
  repository: z.object({
    pullRequest: z.object({
      reviews: z.object({
        nodes: z.array(
          z.object({
            id: z.string(),
            /** A text, since these ids no longer fit 32 bits. */
            fullDatabaseId: z.coerce.number().int().nullable(),
            body: z.string(),
            state: z.string(),
            isMinimized: z.boolean(),
            author: z.object({ __typename: z.string(), login: z.string() }).nullable(),
          }),
        ),
        pageInfo: z.object({ hasPreviousPage: z.boolean(), startCursor: z.string().nullable() }),
      }),
    }),
  }),
});

/** Reviews that are looked through, latest first, in pages of 50. */
const mostPages = 10;

/** The App's own reviews of a pull request. Anybody can paste a marker, so the author counts too. */
async function ownReviews(
  github: GitHub,
  repository: Repository,
  number: number,
  signal: AbortSignal,
): Promise<OwnReview[]> {
  const own: OwnReview[] = [];
  let before: string | null = null;
  for (let page = 0; page < mostPages; page += 1) {
    const variables = { ...named(repository), number, before, request: { signal } };
    const answer = reviewsAnswer.parse(await github.graphql(reviewsQuery, variables));
    const { nodes, pageInfo } = answer.repository.pullRequest.reviews;
    const login = answer.viewer.login.replace(/\[bot\]$/, "");
    for (const { id, fullDatabaseId, author, ...rest } of nodes) {
      const isOwn = author?.__typename === "Bot" && author.login === login && rest.body.startsWith(anyMarker);
      if (isOwn && fullDatabaseId !== null) own.push({ nodeId: id, id: fullDatabaseId, ...rest });
    }
    if (!pageInfo.hasPreviousPage) break;
    before = pageInfo.startCursor;
  }
  return own;
}

/**
 * Posts a review of a head once: one that an earlier try has posted is found by its marker. Should GitHub refuse the comments on lines,
 * they are said in the body.
 */
export async function postReview(
  github: GitHub,
  repository: Repository,
  review: PostedReview,
  signal: AbortSignal,
): Promise<void> {
  const { headSha, pullRequest } = review;
  const isPosted = async () =>
    (await ownReviews(github, repository, pullRequest, signal)).some(({ body }) => body.startsWith(marker(headSha)));
  if (await isPosted()) return;
  try {
    await create(github, repository, review, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (await isPosted()) return;
    const isRefused = error instanceof Error && "status" in error && error.status === 422;
    if (!isRefused || review.comments.length === 0) throw error;
    await create(github, repository, { ...review, body: withComments(review), comments: [] }, signal);
  }
}

function create(github: GitHub, repository: Repository, review: PostedReview, signal: AbortSignal) {
  const { pullRequest, headSha, event, body, comments } = review;
  return github.rest.pulls.createReview({
    ...named(repository),
    pull_number: pullRequest,
    commit_id: headSha,
    event,
    body: `${marker(headSha)}\n${body}`,
    comments: comments.map((comment) => ({ ...comment, side: "RIGHT" })),
    request: { signal, ...once },
  });
}

function withComments({ body, comments }: PostedReview): string {
  return [body, ...comments.map((comment) => `${codeSpan(`${comment.path}:${comment.line}`)}: ${comment.body}`)].join(
    "\n\n",
  );
}

const minimize = `mutation ($id: ID!) {
  minimizeComment(input: { subjectId: $id, classifier: OUTDATED }) { minimizedComment { isMinimized } }
}`;

/** Folds the App's reviews of older heads, and takes their verdicts back, so that none of them blocks or approves what came later. */
export async function retireReviews(
  github: GitHub,
  repository: Repository,
  { pullRequest, headSha }: Pick<PostedReview, "pullRequest" | "headSha">,
  signal: AbortSignal,
): Promise<void> {
  for (const { id, nodeId, body, state, isMinimized } of await ownReviews(github, repository, pullRequest, signal)) {
    if (body.startsWith(marker(headSha))) continue;
    if (state === "CHANGES_REQUESTED" || state === "APPROVED") {
      await takeBack(github, { ...named(repository), pull_number: pullRequest, review_id: id }, signal);
    }
    if (!isMinimized) await github.graphql(minimize, { id: nodeId, request: { signal } });
  }
}

/** Branch protection may leave that to chosen people; then they have to. */
async function takeBack(
  github: GitHub,
  target: { readonly owner: string; readonly repo: string; readonly pull_number: number; readonly review_id: number },
  signal: AbortSignal,
): Promise<void> {
  try {
    await github.rest.pulls.dismissReview({ ...target, message: "A newer commit was pushed.", request: { signal } });
  } catch (error) {
    signal.throwIfAborted();
    const isRefused = error instanceof Error && "status" in error && [403, 404, 422].includes(Number(error.status));
    if (!isRefused) throw error;
  }
}
