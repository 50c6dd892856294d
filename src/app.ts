import type { ApplicationFunction } from "probot";
import { decideCheckRunCompleted, decideCheckRunRerequested } from "./webhook/check-run.ts";
import { decideCheckSuiteCompleted, decideCheckSuiteRerequested } from "./webhook/check-suite.ts";
import {
  decideInstallationDeleted,
  decideInstallationSuspended,
  decideRepositoriesRemoved,
} from "./webhook/installation.ts";
import { decideIssueComment, decideIssueCommentDeleted } from "./webhook/issue-comment.ts";
import { decideIssues } from "./webhook/issues.ts";
import { decidePullRequest } from "./webhook/pull-request.ts";
import { type ReceiveOptions, receiving } from "./webhook/receive.ts";

/** The Probot app: which event is decided by what. */
export default function autolith(options: ReceiveOptions): ApplicationFunction {
  return (app) => {
    app.on("check_run.completed", receiving(options, decideCheckRunCompleted));
    app.on("check_run.rerequested", receiving(options, decideCheckRunRerequested));
    app.on("check_suite.completed", receiving(options, decideCheckSuiteCompleted));
    app.on("check_suite.rerequested", receiving(options, decideCheckSuiteRerequested));
    app.on("issue_comment.created", receiving(options, decideIssueComment));
    app.on("issue_comment.deleted", receiving(options, decideIssueCommentDeleted));
    app.on("issues", receiving(options, decideIssues));
    app.on("pull_request", receiving(options, decidePullRequest));
    app.on("installation.deleted", receiving(options, decideInstallationDeleted));
    app.on("installation.suspend", receiving(options, decideInstallationSuspended));
    app.on("installation_repositories.removed", receiving(options, decideRepositoriesRemoved));
  };
}
