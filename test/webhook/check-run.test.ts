import { expect, test } from "vitest";
import { decideCheckRunCompleted, decideCheckRunRerequested } from "../../src/webhook/check-run.ts";
import { checkRun, context, head, now, ownAppId, pullRequestInCheck } from "./event-payloads.ts";

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

test("pressing re-run on the check of a review asks for a review", () => {
  const own = checkRun({ app: { id: ownAppId }, name: "Autolith review" }, "rerequested");
  expect(decideCheckRunRerequested(own, context)).toMatchObject({ intake: { kind: "rerun", of: "review" } });
});

test.each([
  [checkRun(), "it is a check of another App"],
  [{ ...checkRun({ app: { id: ownAppId } }), sender: bot }, "no person asked for it"],
])("a re-run that does not concern us is ignored", (payload, reason) => {
  expect(decideCheckRunRerequested(payload, context)).toEqual({ kind: "ignore", reason });
});
