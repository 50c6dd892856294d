import { type Decide, deciding, ignore } from "./decision.ts";
import { issuesPayload } from "./payload.ts";

/** `issues`: whatever takes an issue away ends the work on it. Repairs are asked for by comments only. */
export const decideIssues: Decide = deciding(issuesPayload, ({ action, issue, repository }) => {
  switch (action) {
    case "closed":
    case "deleted":
    case "transferred":
      return {
        kind: "cancel",
        repositoryId: repository.id,
        subject: { kind: "issue", issue: issue.number },
        cause: "issue-closed",
      };
    default:
      return ignore(`nothing follows from an issue being ${action}`);
  }
});
