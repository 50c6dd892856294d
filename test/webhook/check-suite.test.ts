import { expect, test } from "vitest";
import { decideCheckSuiteCompleted, decideCheckSuiteRerequested } from "../../src/webhook/check-suite.ts";
import { checkSuite, context, head, ownAppId } from "./event-payloads.ts";

const bot = { id: 99, login: "helper[bot]", type: "Bot" };
const branch = { kind: "branch", branch: "feature", pullRequest: 5 };

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

test("the button that runs all checks again asks for ours too", () => {
  const decision = decideCheckSuiteRerequested(checkSuite({ app: { id: ownAppId } }, "rerequested"), context);
  expect(decision).toMatchObject({ intake: { kind: "rerun", checkRunId: null, sha: head } });
});

test.each([
  [checkSuite(), "it is a suite of another App"],
  [{ ...checkSuite({ app: { id: ownAppId } }), sender: bot }, "no person asked for it"],
])("a re-run of all checks that does not concern us is ignored", (payload, reason) => {
  expect(decideCheckSuiteRerequested(payload, context)).toEqual({ kind: "ignore", reason });
});
