import { expect, test } from "vitest";
import { decideCheckRunCompleted, decideCheckRunRerequested } from "../../src/webhook/check-run.ts";
import { decideCheckSuiteCompleted, decideCheckSuiteRerequested } from "../../src/webhook/check-suite.ts";
import {
  decideInstallationDeleted,
  decideInstallationSuspended,
  decideRepositoriesRemoved,
} from "../../src/webhook/installation.ts";
import { decideIssueComment } from "../../src/webhook/issue-comment.ts";
import { decidePullRequest } from "../../src/webhook/pull-request.ts";
import {
  checkRun,
  checkSuite,
  context,
  head,
  issueComment,
  now,
  ownAppId,
  pullRequest,
  pullRequestInCheck,
} from "./event-payloads.ts";

const repository = { id: 7, owner: "octo", name: "shop", defaultBranch: "main" };
const bot = { id: 99, login: "helper[bot]", type: "Bot" };
const branch = { kind: "branch", branch: "feature", pullRequest: 5 };

test("a failed check at the head of a pull request asks for a repair of its commit", () => {
  expect(decideCheckRunCompleted(checkRun(), context)).toEqual({
    kind: "fix",
    job: {
      kind: "fix",
      installationId: 42,
      repository,
      subject: branch,
      sha: head,
      shaSeenAt: "2026-05-01T12:00:00.000Z",
      causes: [{ kind: "check", name: "test (20)", checkRunId: 900 }],
    },
  });
});

test("a failed check on the default branch asks for a repair of the branch itself", () => {
  const suite = { head_branch: "main", created_at: "2026-05-01T12:00:00Z" };
  const decision = decideCheckRunCompleted(checkRun({ pull_requests: [], check_suite: suite }), context);
  expect(decision).toMatchObject({ job: { subject: { kind: "branch", branch: "main", pullRequest: null } } });
});

test("the default branch is not taken for the head of a release's pull request", () => {
  const release = pullRequestInCheck({ head: { ref: "main", sha: head, repo: { id: 7 } } });
  const decision = decideCheckRunCompleted(
    checkRun({ pull_requests: [release], check_suite: { head_branch: "main" } }),
    context,
  );
  expect(decision).toMatchObject({ job: { subject: { kind: "branch", branch: "main", pullRequest: null } } });
});

test("a failed check of a commit without branch and pull request has to be looked up", () => {
  const payload = checkRun({
    pull_requests: [],
    check_suite: { head_branch: null, created_at: "2026-05-01T12:00:00Z" },
  });
  expect(decideCheckRunCompleted(payload, context)).toEqual({
    kind: "intake",
    intake: {
      kind: "commit",
      installationId: 42,
      repository,
      sha: head,
      shaSeenAt: "2026-05-01T12:00:00.000Z",
      cause: { kind: "check", name: "test (20)", checkRunId: 900 },
    },
  });
});

test("a pull request from a fork that is named is taken as one from a fork", () => {
  const fork = pullRequestInCheck({ head: { ref: "feature", sha: head, repo: { id: 8 } } });
  const decision = decideCheckRunCompleted(
    checkRun({ pull_requests: [fork], check_suite: { head_branch: null } }),
    context,
  );
  expect(decision).toMatchObject({ job: { subject: { kind: "fork", pullRequest: 5 } } });
});

test("of several pull requests with one head the first one counts", () => {
  const decision = decideCheckRunCompleted(
    checkRun({ pull_requests: [pullRequestInCheck({ number: 9 }), pullRequestInCheck()] }),
    context,
  );
  expect(decision).toMatchObject({ job: { subject: branch } });
});

test("a check without a suite is dated by its own start", () => {
  const decision = decideCheckRunCompleted(checkRun({ check_suite: null }), context);
  expect(decision).toMatchObject({ job: { shaSeenAt: "2026-05-01T12:05:00.000Z" } });
});

const moved = pullRequestInCheck({ head: { ref: "feature", sha: "b".repeat(40), repo: { id: 7 } } });
const elsewhere = pullRequestInCheck({ base: { ref: "main", sha: head, repo: { id: 8 } } });
const ours = pullRequestInCheck({ head: { ref: "autolith/fix-5-abc", sha: head, repo: { id: 7 } } });

test.each([
  ["of our own", { app: { id: ownAppId } }, "it is our own check"],
  [
    "on a branch of ours",
    { pull_requests: [], check_suite: { head_branch: "autolith/fix-5-abc" } },
    "it is about a branch of ours",
  ],
  ["of a pull request of ours", { pull_requests: [ours], check_suite: null }, "it is about a branch of ours"],
  [
    "of a commit that is not the head any more",
    { pull_requests: [moved] },
    "the commit is not the head of its pull request any more",
  ],
  [
    "on another branch",
    { pull_requests: [] },
    "the branch is neither the default branch nor the head of a pull request",
  ],
  [
    "of a pull request in another repository",
    { pull_requests: [elsewhere] },
    "the branch is neither the default branch nor the head of a pull request",
  ],
])("a check %s is ignored", (_which, overrides, reason) => {
  expect(decideCheckRunCompleted(checkRun(overrides), context)).toEqual({ kind: "ignore", reason });
});

test.each(["success", "neutral", "skipped", "cancelled", "stale", "action_required", "startup_failure", null])(
  "a check that ended as %s is ignored",
  (conclusion) => {
    const reason = `the check ended as ${conclusion}, which is no failure`;
    expect(decideCheckRunCompleted(checkRun({ conclusion }), context)).toEqual({ kind: "ignore", reason });
  },
);

test("a check that timed out has failed", () => {
  expect(decideCheckRunCompleted(checkRun({ conclusion: "timed_out" }), context).kind).toBe("fix");
});

test("the details address of a check is neither kept nor looked at", () => {
  const decision = decideCheckRunCompleted(checkRun({ details_url: "javascript:alert(1)" }), context);
  expect(JSON.stringify(decision)).not.toContain("javascript:");
});

test("what the name of a check could break a record with is removed", () => {
  const decision = decideCheckRunCompleted(checkRun({ name: `te\u0000st\ud800 ${"x".repeat(500)}` }), context);
  expect(decision).toMatchObject({ job: { causes: [{ name: `test ${"x".repeat(248)}` }] } });
});

test("an event that comes from no installation is ignored", () => {
  const { installation: _, ...payload } = checkRun();
  const reason = "it comes from no installation of the App";
  expect(decideCheckRunCompleted(payload, context)).toEqual({ kind: "ignore", reason });
});

test.each([
  ["no object", 1],
  ["nothing in it", {}],
  ["another commit than a commit", checkRun({ head_sha: "main; rm -rf /" })],
  ["a number beyond what can be counted", checkRun({ id: 2 ** 60 })],
])("a payload with %s is ignored", (_what, payload) => {
  expect(decideCheckRunCompleted(payload, context)).toMatchObject({ kind: "ignore" });
});

test("the re-run button of our check asks on behalf of who pressed it", () => {
  expect(decideCheckRunRerequested(checkRun({ app: { id: ownAppId } }, "rerequested"), context)).toEqual({
    kind: "intake",
    intake: {
      kind: "rerun",
      installationId: 42,
      repository,
      sha: head,
      checkRunId: 900,
      user: { id: 77, login: "ada" },
      askedAt: now.toISOString(),
    },
  });
});

test("the button that runs all checks again asks for ours too", () => {
  const decision = decideCheckSuiteRerequested(checkSuite({ app: { id: ownAppId } }, "rerequested"), context);
  expect(decision).toMatchObject({ intake: { kind: "rerun", checkRunId: null, sha: head } });
});

test.each([
  [decideCheckRunRerequested(checkRun(), context), "it is a check of another App"],
  [
    decideCheckRunRerequested({ ...checkRun({ app: { id: ownAppId } }), sender: bot }, context),
    "no person asked for it",
  ],
  [decideCheckSuiteRerequested(checkSuite(), context), "it is a suite of another App"],
])("a re-run that does not concern us is ignored", (decision, reason) => {
  expect(decision).toEqual({ kind: "ignore", reason });
});

test("a failed suite says that the failures of its commit are known", () => {
  expect(decideCheckSuiteCompleted(checkSuite(), context)).toEqual({
    kind: "complete",
    repositoryId: 7,
    subject: branch,
    sha: head,
  });
});

test.each([
  [{ app: { id: ownAppId } }, "it is our own suite"],
  [{ conclusion: "success" }, "the suite ended as success, which is no failure"],
  [{ pull_requests: [], head_branch: null }, "it names no pull request, so no job waits for it"],
  [{ pull_requests: [] }, "the branch is neither the default branch nor the head of a pull request"],
])("the suite %j is ignored", (overrides, reason) => {
  expect(decideCheckSuiteCompleted(checkSuite(overrides), context)).toEqual({ kind: "ignore", reason });
});

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

test("closing a pull request ends its jobs, merged or not", () => {
  const cancel = { kind: "cancel", repositoryId: 7, subject: branch, cause: "closed" };
  expect(decidePullRequest(pullRequest("closed"), context)).toEqual(cancel);
  expect(decidePullRequest(pullRequest("closed", { merged: true }), context)).toEqual(cancel);
});

test("closing a pull request from a fork ends the jobs of the pull request, not of a branch called alike", () => {
  const fork = { head: { ref: "feature", sha: head, repo: { id: 8 } } };
  const gone = { head: { ref: "feature", sha: head, repo: null } };
  for (const overrides of [fork, gone]) {
    expect(decidePullRequest(pullRequest("closed", overrides), context)).toMatchObject({
      subject: { kind: "fork", pullRequest: 5 },
    });
  }
});

test.each([
  ["synchronize", "2026-05-01T12:15:00.000Z"],
  ["reopened", "2026-05-01T12:15:00.000Z"],
  ["opened", "2026-05-01T11:00:00.000Z"],
])("a pull request that is told as %s shows its head and since when it is there", (action, pushedAt) => {
  expect(decidePullRequest(pullRequest(action), context)).toEqual({
    kind: "head",
    head: {
      installationId: 42,
      repositoryId: 7,
      subject: branch,
      sha: head,
      pushedAt: new Date(pushedAt),
      openedAt: new Date("2026-05-01T11:00:00.000Z"),
      draft: false,
    },
  });
});

test.each([
  ["converted_to_draft", true],
  ["ready_for_review", false],
])("a pull request that is told as %s shows whether it is a draft, and no push", (action, draft) => {
  expect(decidePullRequest(pullRequest(action, { draft }), context)).toMatchObject({ head: { draft, pushedAt: null } });
});

const own = { head: { ref: "autolith/fix-5-abc", sha: head, repo: { id: 7 } } };

test("a person who closes a pull request of ours refuses it, one who opens it again does not", () => {
  const refusal = { kind: "refusal", repositoryId: 7, pullRequest: 5 };
  expect(decidePullRequest(pullRequest("closed", own), context)).toEqual({ ...refusal, refused: true });
  expect(decidePullRequest(pullRequest("reopened", own), context)).toEqual({ ...refusal, refused: false });
});

test.each([
  [
    "merged",
    pullRequest("closed", { ...own, merged: true }),
    "nothing follows from a pull request of ours being closed",
  ],
  ["closed by ourselves", pullRequest("closed", own, bot), "no person did it"],
  ["pushed to", pullRequest("synchronize", own), "nothing follows from a pull request of ours being synchronize"],
])("a pull request of ours that is %s is no refusal", (_how, payload, reason) => {
  expect(decidePullRequest(payload, context)).toEqual({ kind: "ignore", reason });
});

test("a branch of a fork that is called like ours is not ours", () => {
  const fork = { head: { ref: "autolith/fix-5-abc", sha: head, repo: { id: 8 } } };
  expect(decidePullRequest(pullRequest("closed", fork), context).kind).toBe("cancel");
});

test("closing a release's pull request leaves the default branch's job alone", () => {
  const release = { head: { ref: "main", sha: head, repo: { id: 7 } } };
  expect(decidePullRequest(pullRequest("closed", release), context)).toMatchObject({ kind: "ignore" });
});

test("nothing follows from a label", () => {
  const reason = "nothing follows from a pull request being labeled";
  expect(decidePullRequest(pullRequest("labeled"), context)).toEqual({ kind: "ignore", reason });
});

test("removing the App, suspending it and taking repositories from it end what is under way there", () => {
  const installation = { id: 42 };
  const lost = { kind: "lost", installationId: 42, repositoryIds: "all" };
  expect(decideInstallationDeleted({ installation }, context)).toEqual({ ...lost, forget: true });
  expect(decideInstallationSuspended({ installation }, context)).toEqual({ ...lost, forget: false });
  const removed = {
    installation,
    repositories_removed: [
      { id: 7, name: "shop" },
      { id: 8, name: "site" },
    ],
  };
  expect(decideRepositoriesRemoved(removed, context)).toEqual({ ...lost, repositoryIds: [7, 8], forget: true });
});
