import { expect, test } from "vitest";
import { receiver } from "./receiver.ts";
import { startTwin } from "./twin.ts";

test("every kind of event that people and CI cause has the payload that GitHub describes", async () => {
  await using twin = await startTwin({ checkAnswers: true });
  await using app = await receiver();
  const repository = await twin.repositories.add({ owner: "acme", name: "shop" });
  const ada = twin.accounts.addUser("ada");
  const kinds = [
    "push",
    "pull_request",
    "issues",
    "issue_comment",
    "pull_request_review",
    "pull_request_review_comment",
  ];
  twin.webhooks.connect(app.url, [...kinds, "check_run", "check_suite", "workflow_run", "workflow_job"]);
  await twin.repositories.commit(repository, { branch: "topic", files: { a: "1\n" }, author: ada });
  const pull = await twin.pulls.open(repository, { head: "topic", author: ada, draft: true });
  await twin.repositories.commit(repository, { branch: "topic", files: { a: "2\n" }, author: ada });
  twin.pulls.setDraft(pull, false, ada);
  const comment = twin.issues.comment(pull, ada, "x");
  twin.issues.editComment(comment, "y");
  twin.issues.deleteComment(comment);
  const placed = {
    path: "a",
    line: 1,
    side: "RIGHT" as const,
    startLine: null,
    startSide: null,
    subjectType: "line" as const,
    diffHunk: "@@ -0,0 +1 @@",
  };
  const commitId = pull.pull.head.sha;
  twin.pulls.review(pull, { author: ada, body: "b", state: "COMMENTED", commitId }, [
    { ...placed, body: "c", commitId, inReplyTo: null },
  ]);
  const run = await twin.workflows.run(repository, {
    branch: "topic",
    jobs: [{ name: "test", steps: [{ run: "npm test", exitCode: 1 }] }],
  });
  const own = await twin.checks.create(repository, {
    app: twin.app,
    name: "Autolith",
    headSha: commitId,
    conclusion: "neutral",
  });
  twin.checks.rerequest(own, ada);
  twin.checks.requestAction(own, "retry", ada);
  const issue = twin.issues.open(repository, { title: "t", author: ada });
  twin.issues.setState(issue, "closed", ada);
  twin.pulls.setState(pull, "closed", ada);
  const installation = twin.installations.covering(repository);
  if (installation === undefined) throw new Error("not installed");
  twin.installations.suspend(installation);
  twin.installations.suspend(installation, false);
  twin.installations.removeRepositories(installation, [repository]);
  twin.installations.remove(installation);
  await twin.webhooks.settled();
  expect(run.suite.conclusion).toBe("failure");
  expect([...new Set(app.names())].sort()).toEqual([
    "check_run.completed",
    "check_run.created",
    "check_run.requested_action",
    "check_run.rerequested",
    "check_suite.completed",
    "check_suite.requested",
    "installation.deleted",
    "installation.suspend",
    "installation.unsuspend",
    "installation_repositories.removed",
    "issue_comment.created",
    "issue_comment.deleted",
    "issue_comment.edited",
    "issues.closed",
    "issues.opened",
    "pull_request.closed",
    "pull_request.opened",
    "pull_request.ready_for_review",
    "pull_request.synchronize",
    "pull_request_review.submitted",
    "pull_request_review_comment.created",
    "push.",
    "workflow_job.completed",
    "workflow_run.completed",
  ]);
  expect(twin.journal.problems()).toEqual([]);
});
