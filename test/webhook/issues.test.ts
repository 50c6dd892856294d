import { expect, test } from "vitest";
import { decideIssues } from "../../src/webhook/issues.ts";
import { context, issueComment } from "./event-payloads.ts";

function issues(action: string) {
  const { comment: _, ...payload } = issueComment("", { action });
  return payload;
}

test.each(["closed", "deleted", "transferred"])("an issue that is %s takes its job along", (action) => {
  expect(decideIssues(issues(action), context)).toEqual({
    kind: "cancel",
    repositoryId: 7,
    subject: { kind: "issue", issue: 5 },
    cause: "issue-closed",
  });
});

test.each(["opened", "edited", "reopened", "labeled"])("nothing follows from an issue being %s", (action) => {
  expect(decideIssues(issues(action), context)).toMatchObject({ kind: "ignore" });
});
