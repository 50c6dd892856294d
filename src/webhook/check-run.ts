import type { z } from "zod";
import { reviewCheckName } from "../config/check-names.ts";
import type { Cause } from "../job/job.ts";
import { type Decide, type Decision, deciding, ignore } from "./decision.ts";
import { isOwnApp, isPerson } from "./own-event.ts";
import { asRepository, checkRunPayload } from "./payload.ts";
import { subjectOfCommit } from "./subject.ts";

/** What GitHub calls a failure that somebody can repair: https://docs.github.com/en/rest/checks/runs */
const failed = ["failure", "timed_out"];

export function isFailed(conclusion: string | null): boolean {
  return failed.includes(conclusion ?? "");
}

/** `check_run.completed`: a failed check asks for a repair of its commit. */
export const decideCheckRunCompleted: Decide = deciding(checkRunPayload, (payload, { ownAppId, now }) => {
  const { check_run: run } = payload;
  if (isOwnApp(run.app, ownAppId)) return ignore("it is our own check");
  if (!isFailed(run.conclusion)) return ignore(`the check ended as ${run.conclusion}, which is no failure`);
  return repairOf(payload, now);
});

function repairOf({ check_run: run, repository, installation }: z.output<typeof checkRunPayload>, now: Date): Decision {
  const cause: Cause = { kind: "check", name: run.name, checkRunId: run.id };
  const known = { installationId: installation.id, repository: asRepository(repository), sha: run.head_sha };
  // The suite is made when the commit is pushed; a check of it may start much later.
  const shaSeenAt = run.check_suite?.created_at ?? run.started_at ?? now.toISOString();
  const found = subjectOfCommit({
    repository: known.repository,
    sha: run.head_sha,
    branch: run.check_suite?.head_branch ?? null,
    pullRequests: run.pull_requests,
  });
  switch (found.kind) {
    case "none":
      return ignore(found.reason);
    case "unnamed":
      return { kind: "intake", intake: { kind: "commit", ...known, shaSeenAt, cause } };
    case "found":
      return { kind: "fix", job: { kind: "fix", ...known, subject: found.subject, shaSeenAt, causes: [cause] } };
  }
}

/** `check_run.rerequested`: somebody wants our own check to run again. */
export const decideCheckRunRerequested: Decide = deciding(checkRunPayload, (payload, { ownAppId, now }) => {
  const { check_run: run, repository, installation, sender } = payload;
  if (!isOwnApp(run.app, ownAppId)) return ignore("it is a check of another App");
  if (!isPerson(sender)) return ignore("no person asked for it");
  const known = { installationId: installation.id, repository: asRepository(repository), sha: run.head_sha };
  const user = { id: sender.id, login: sender.login };
  const about = run.name === reviewCheckName ? { of: "review" as const } : {};
  const askedAt = now.toISOString();
  return { kind: "intake", intake: { kind: "rerun", ...about, ...known, checkRunId: run.id, user, askedAt } };
});
