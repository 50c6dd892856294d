import { type Answer, found } from "../http/answer.ts";
import type { Call, Needs, Route } from "../http/call.ts";
import { page } from "../http/pagination.ts";
import { reactionJson } from "../json/issues.ts";
import type { Reaction, ReactionContent } from "../world/issue.ts";
import { commentOf, forComment, forIssue, issueOf } from "./issues.ts";

type Subject = { readonly reactions: Reaction[] };

/** Reactions on issues, on their comments, and on review comments. */
export const reactionRoutes: readonly Route[] = [
  ...routesFor("/repos/{owner}/{repo}/issues/{issue_number}", issueOf, forIssue),
  ...routesFor("/repos/{owner}/{repo}/issues/comments/{comment_id}", commentOf, forComment),
  ...routesFor(
    "/repos/{owner}/{repo}/pulls/comments/{comment_id}",
    reviewCommentOf,
    (level) => () => `pull_requests:${level}`,
  ),
];

function routesFor(
  path: string,
  subjectOf: (call: Call) => Subject,
  needs: (level: "read" | "write") => (call: Call) => Needs,
): Route[] {
  return [
    { on: `GET ${path}/reactions`, needs: needs("read"), answer: (call) => list(call, subjectOf(call)) },
    { on: `POST ${path}/reactions`, needs: needs("write"), answer: (call) => create(call, subjectOf(call)) },
    {
      on: `DELETE ${path}/reactions/{reaction_id}`,
      needs: needs("write"),
      answer: (call) => remove(call, subjectOf(call)),
    },
  ];
}

function reviewCommentOf(call: Call): Subject {
  const id = call.number("comment_id");
  const comments = call.world.pulls.of(call.repository).flatMap((issue) => issue.pull.reviewComments);
  return found(comments.find((comment) => comment.id === id));
}

function list(call: Call, subject: Subject): Answer {
  const { content } = call.query;
  const reactions = subject.reactions.filter((reaction) => (content ?? reaction.content) === reaction.content);
  return page(call, reactions, (reaction) => reactionJson(call.world, reaction));
}

function create(call: Call, subject: Subject): Answer {
  const { content } = call.body as { content: ReactionContent };
  const { reaction, added } = call.world.issues.react(subject, call.actor, content);
  return { status: added ? 201 : 200, body: reactionJson(call.world, reaction) };
}

function remove(call: Call, subject: Subject): Answer {
  const index = subject.reactions.findIndex(({ id }) => id === call.number("reaction_id"));
  found(subject.reactions[index]);
  subject.reactions.splice(index, 1);
  return { status: 204 };
}
