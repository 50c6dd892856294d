import { expect, test } from "vitest";
import { decidePullRequest } from "../../src/webhook/pull-request.ts";
import { context, head, pullRequest } from "./event-payloads.ts";

const bot = { id: 99, login: "helper[bot]", type: "Bot" };
const branch = { kind: "branch", branch: "feature", pullRequest: 5 };

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

test("what failed while it was a draft is looked at when it is ready", () => {
  expect(decidePullRequest(pullRequest("ready_for_review"), context)).toMatchObject({
    intake: { kind: "ready", subject: branch, sha: head, shaSeenAt: "2026-05-01T12:15:00.000Z" },
  });
  expect(decidePullRequest(pullRequest("converted_to_draft", { draft: true }), context)).not.toHaveProperty("intake");
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

const byBot = { user: { id: 49_699_333, login: "dependabot[bot]", type: "Bot" } };

test.each(["opened", "synchronize", "reopened", "ready_for_review"])(
  "a bot's pull request that is told as %s is looked at for a review, beside its head",
  (action) => {
    const decision = decidePullRequest(pullRequest(action, byBot), context);
    expect(decision).toMatchObject({
      kind: "several",
      changes: [
        { kind: "head" },
        {
          kind: "intake",
          intake: { kind: "pull-request", number: 5, sha: head, author: { id: 49_699_333 }, subject: branch },
        },
      ],
    });
  },
);

test("no review is looked for on drafts, on people's branches, and for who only sends the event", () => {
  const person = { id: 7, login: "ada", type: "User" };
  expect(decidePullRequest(pullRequest("opened", { ...byBot, draft: true }), context).kind).toBe("head");
  expect(decidePullRequest(pullRequest("synchronize", { user: person }, bot), context).kind).toBe("head");
});

test("an account on a branch that is called as bots call theirs may be a self-hosted bot", () => {
  const selfHosted = {
    user: { id: 7, login: "acme-renovate", type: "User" },
    head: { ref: "renovate/pad-2.x", sha: head, repo: { id: 7 } },
  };
  expect(decidePullRequest(pullRequest("opened", selfHosted), context).kind).toBe("several");
});
