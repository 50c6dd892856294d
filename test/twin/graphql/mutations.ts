import type { ReactionContent } from "../world/issue.ts";
import { createCommitOnBranch } from "./create-commit.ts";
import { unresolved } from "./graphql-error.ts";
import { type Node, nodeOf } from "./nodes.ts";
import { commentObject, type GraphQlObject, pullObject } from "./objects.ts";
import { reviewObject } from "./reviews.ts";
import { demand, type Viewer } from "./viewer.ts";

interface WithInput<T> {
  readonly input: T & { readonly clientMutationId?: string };
}

const REACTION_CONTENT: Readonly<Record<string, ReactionContent>> = {
  THUMBS_UP: "+1",
  THUMBS_DOWN: "-1",
  LAUGH: "laugh",
  HOORAY: "hooray",
  CONFUSED: "confused",
  HEART: "heart",
  ROCKET: "rocket",
  EYES: "eyes",
};

/** The fields of `Mutation`. */
export function mutations(viewer: Viewer): GraphQlObject {
  return {
    createCommitOnBranch: ({ input }: Parameters<typeof createCommitOnBranch>[1]) =>
      createCommitOnBranch(viewer, { input }),
    minimizeComment: ({ input }: WithInput<{ subjectId: string; classifier: string }>) =>
      minimize(viewer, input, input.classifier.toLowerCase()),
    unminimizeComment: ({ input }: WithInput<{ subjectId: string }>) => minimize(viewer, input, null),
    addReaction: ({ input }: WithInput<{ subjectId: string; content: string }>) => react(viewer, input),
    markPullRequestReadyForReview: ({ input }: WithInput<{ pullRequestId: string }>) => setDraft(viewer, input, false),
    convertPullRequestToDraft: ({ input }: WithInput<{ pullRequestId: string }>) => setDraft(viewer, input, true),
  };
}

function minimize(
  viewer: Viewer,
  input: { subjectId: string; clientMutationId?: string },
  reason: string | null,
): GraphQlObject {
  const node = nodeOf(viewer, input.subjectId);
  if (node.kind !== "comment" && node.kind !== "review")
    throw unresolved(`a Minimizable with the global id of '${input.subjectId}'`);
  demand(viewer, node.repository, "issues:write", "pull_requests:write");
  const subject = node.kind === "comment" ? node.comment : node.review;
  subject.minimizedReason = reason;
  const shown =
    node.kind === "comment" ? commentObject(viewer, node.comment) : reviewObject(viewer, node.issue, node.review);
  return { clientMutationId: input.clientMutationId ?? null, minimizedComment: shown, unminimizedComment: shown };
}

function react(
  viewer: Viewer,
  input: { subjectId: string; content: string; clientMutationId?: string },
): GraphQlObject {
  const node = nodeOf(viewer, input.subjectId);
  demand(viewer, node.repository, "issues:write", "pull_requests:write");
  const content = REACTION_CONTENT[input.content] ?? "+1";
  const { reaction } = viewer.world.issues.react(subjectOf(node, input.subjectId), viewer.world.bot, content);
  return {
    clientMutationId: input.clientMutationId ?? null,
    reaction: { __typename: "Reaction", databaseId: reaction.id, content: input.content },
  };
}

function subjectOf(node: Node, id: string): Parameters<Viewer["world"]["issues"]["react"]>[0] {
  if (node.kind === "comment") return node.comment;
  if (node.kind === "issue" || node.kind === "pull") return node.issue;
  throw unresolved(`a Reactable with the global id of '${id}'`);
}

function setDraft(
  viewer: Viewer,
  input: { pullRequestId: string; clientMutationId?: string },
  draft: boolean,
): GraphQlObject {
  const node = nodeOf(viewer, input.pullRequestId);
  if (node.kind !== "pull") throw unresolved(`a PullRequest with the global id of '${input.pullRequestId}'`);
  demand(viewer, node.repository, "pull_requests:write");
  viewer.world.pulls.setDraft(node.issue, draft, viewer.world.bot);
  return { clientMutationId: input.clientMutationId ?? null, pullRequest: pullObject(viewer, node.issue) };
}
