import { expect, test } from "vitest";
import { decideIssueComment, decideIssueCommentDeleted } from "../../src/webhook/issue-comment.ts";
import { context, issueComment, ownAppId } from "./event-payloads.ts";

const repository = { id: 7, owner: "octo", name: "shop", defaultBranch: "main" };
const bot = { id: 99, login: "helper[bot]", type: "Bot" };

test("a command has to be settled with GitHub first, by the number of who gave it", () => {
  expect(decideIssueComment(issueComment("/autolith fix look at rounding"), context)).toEqual({
    kind: "intake",
    intake: {
      kind: "command",
      installationId: 42,
      repository,
      command: { name: "fix", hint: "look at rounding" },
      comment: { id: 1234, createdAt: "2026-05-01T12:10:00.000Z", user: { id: 77, login: "ada" } },
      issue: { number: 5, isPullRequest: true, isOpen: true, isLocked: false },
    },
  });
});

test("a command on an issue, a closed or a locked pull request is answered, so it is passed on as such", () => {
  const issue = { pull_request: undefined, state: "closed", locked: true };
  expect(decideIssueComment(issueComment("/autolith fix", { issue }), context)).toMatchObject({
    intake: { issue: { number: 5, isPullRequest: false, isOpen: false, isLocked: true } },
  });
});

test("a command of ours that is misspelt is answered", () => {
  expect(decideIssueComment(issueComment("/autolith fxi"), context)).toMatchObject({
    intake: { command: { name: "unknown", word: "fxi", suggestion: "fix" } },
  });
});

test("whoever deletes a comment takes back what it asked for", () => {
  const deleted = issueComment("/autolith fix", { action: "deleted" });
  expect(decideIssueCommentDeleted(deleted, context)).toEqual({
    kind: "withdraw",
    installationId: 42,
    repositoryId: 7,
    commentId: 1234,
  });
});

test.each([
  ["without a command", issueComment("Thanks!"), "it holds no command"],
  ["without a body", issueComment("", { comment: { body: null } }), "it holds no command"],
  ["with a quoted command", issueComment("> /autolith fix"), "it holds no command"],
  ["of a bot", issueComment("/autolith fix", { comment: { user: bot }, sender: bot }), "no person wrote it"],
  ["of a user who is gone", issueComment("/autolith fix", { comment: { user: null } }), "no person wrote it"],
  [
    "of our own",
    issueComment("/autolith fix", { comment: { performed_via_github_app: { id: ownAppId } } }),
    "it is our own comment",
  ],
  [
    "that was edited",
    issueComment("/autolith fix", { action: "edited" }),
    "the comment was edited, and only new ones count",
  ],
  [
    "that was deleted",
    issueComment("/autolith fix", { action: "deleted" }),
    "the comment was deleted, and only new ones count",
  ],
  [
    "that somebody else sent",
    issueComment("/autolith fix", { sender: { id: 78, login: "bob", type: "User" } }),
    "somebody else than its author sent it",
  ],
  ["in an archive", issueComment("/autolith fix", { repository: { archived: true } }), "the repository is archived"],
])("a comment %s is ignored", (_which, payload, reason) => {
  expect(decideIssueComment(payload, context)).toEqual({ kind: "ignore", reason });
});
