import { parseCommand } from "./command.ts";
import { type Decide, deciding, ignore } from "./decision.ts";
import { isOwnApp, isPerson } from "./own-event.ts";
import { asRepository, issueCommentPayload } from "./payload.ts";

/** `issue_comment.deleted`: whoever asked by it does not ask any more. Whether it held a command, the jobs know. */
export const decideIssueCommentDeleted: Decide = deciding(issueCommentPayload, (payload) => {
  const { comment, repository, installation } = payload;
  const where = { installationId: installation.id, repositoryId: repository.id };
  return { kind: "withdraw", ...where, commentId: comment.id };
});

/** `issue_comment.created`, on issues and pull requests alike: a person may have given a command. */
export const decideIssueComment: Decide = deciding(issueCommentPayload, (payload, { ownAppId }) => {
  const { action, comment, issue, repository, sender } = payload;
  // An old comment that is edited would fire with the rights and the code of today.
  if (action !== "created") return ignore(`the comment was ${action}, and only new ones count`);
  if (isOwnApp(comment.performed_via_github_app, ownAppId)) return ignore("it is our own comment");
  if (!isPerson(comment.user)) return ignore("no person wrote it");
  if (comment.user.id !== sender.id) return ignore("somebody else than its author sent it");
  const command = parseCommand(comment.body ?? "");
  if (command === null) return ignore("it holds no command");
  if (repository.archived) return ignore("the repository is archived");
  const { id, login } = comment.user;
  return {
    kind: "intake",
    intake: {
      kind: "command",
      installationId: payload.installation.id,
      repository: asRepository(repository),
      command,
      comment: { id: comment.id, createdAt: comment.created_at, user: { id, login } },
      issue: {
        number: issue.number,
        isPullRequest: issue.pull_request != null,
        isOpen: issue.state === "open",
        isLocked: issue.locked,
      },
    },
  };
});
