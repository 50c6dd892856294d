import { isFailed } from "./check-run.ts";
import { type Decide, deciding, ignore } from "./decision.ts";
import { isOwnApp, isPerson } from "./own-event.ts";
import { asRepository, checkSuitePayload } from "./payload.ts";
import { subjectOfCommit } from "./subject.ts";

/** `check_suite.completed`: when the failing checks of a suite are all known, their job need not wait longer. */
export const decideCheckSuiteCompleted: Decide = deciding(checkSuitePayload, (payload, { ownAppId }) => {
  const { check_suite: suite } = payload;
  const repository = asRepository(payload.repository);
  if (isOwnApp(suite.app, ownAppId)) return ignore("it is our own suite");
  if (!isFailed(suite.conclusion)) return ignore(`the suite ended as ${suite.conclusion}, which is no failure`);
  const { head_sha: sha, head_branch: branch, pull_requests: pullRequests } = suite;
  const found = subjectOfCommit({ repository, sha, branch, pullRequests });
  if (found.kind === "none") return ignore(found.reason);
  if (found.kind === "unnamed") return ignore("it names no pull request, so no job waits for it");
  return { kind: "complete", repositoryId: repository.id, subject: found.subject, sha };
});

/** `check_suite.rerequested`: somebody wants all checks of a commit to run again, ours among them. */
export const decideCheckSuiteRerequested: Decide = deciding(checkSuitePayload, (payload, { ownAppId, now }) => {
  const { check_suite: suite, installation, sender } = payload;
  if (!isOwnApp(suite.app, ownAppId)) return ignore("it is a suite of another App");
  if (!isPerson(sender)) return ignore("no person asked for it");
  const known = { installationId: installation.id, repository: asRepository(payload.repository), sha: suite.head_sha };
  const user = { id: sender.id, login: sender.login };
  const askedAt = now.toISOString();
  return { kind: "intake", intake: { kind: "rerun", ...known, checkRunId: null, user, askedAt } };
});
