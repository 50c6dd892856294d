import type { z } from "zod";
import type { Change } from "../job/change.ts";
import type { Intake } from "../job/intake.ts";
import { type Decide, type Decision, deciding, ignore } from "./decision.ts";
import { isOwnBranch, isPerson } from "./own-event.ts";
import { asRepository, pullRequestPayload } from "./payload.ts";
import { subjectOfPullRequest } from "./subject.ts";

type Payload = z.output<typeof pullRequestPayload>;

/** `pull_request`: where its head is, whether it is a draft, and that it was closed; and what people think of ours. */
export const decidePullRequest: Decide = deciding(pullRequestPayload, (payload) => {
  const { action, pull_request: pullRequest, repository } = payload;
  const subject = subjectOfPullRequest(repository.id, pullRequest);
  if (subject.kind === "branch" && isOwnBranch(subject.branch)) return decideOwn(payload);
  if (subject.kind === "branch" && subject.branch === repository.defaultBranch) {
    return ignore("its head is the default branch, which does not belong to it");
  }
  const { updated_at: updatedAt, created_at: createdAt } = pullRequest;
  switch (action) {
    case "closed":
      return { kind: "cancel", repositoryId: repository.id, subject, cause: "closed" };
    case "synchronize":
    case "reopened":
      return withReview(payload, headOf(payload, updatedAt), updatedAt);
    case "opened":
      return withReview(payload, headOf(payload, createdAt), createdAt);
    case "converted_to_draft":
      return headOf(payload, null);
    case "ready_for_review":
      return withReview(payload, { ...headOf(payload, null), intake: readyOf(payload) }, updatedAt);
    default:
      return ignore(`nothing follows from a pull request being ${action}`);
  }
});

/** What failed while it was a draft was left alone. */
function readyOf({ pull_request, repository, installation }: Payload): Intake {
  const known = { installationId: installation.id, repository: asRepository(repository) };
  const subject = subjectOfPullRequest(repository.id, pull_request);
  return { kind: "ready", ...known, subject, sha: pull_request.head.sha, shaSeenAt: pull_request.updated_at };
}

/**
 * Self-hosted bots act through an ordinary account. Those are looked at when the branch is called as such bots call theirs, so that not
 * every push of a person costs calls to GitHub; whether it is a bot that is reviewed, its id decides later.
 */
const botBranch = /^(renovate|dependabot|copilot)\b/i;

/** Has it found out whether a bot wrote all of the pull request, so that it is reviewed. The sender of the event does not matter. */
function withReview(payload: Payload, head: Change, shaSeenAt: string): Change {
  const { pull_request, repository, installation } = payload;
  const { user, number, draft } = pull_request;
  const isCandidate = user != null && (user.type === "Bot" || botBranch.test(pull_request.head.ref));
  if (!isCandidate || draft || repository.archived) return head;
  const intake: Intake = {
    kind: "pull-request",
    installationId: installation.id,
    repository: asRepository(repository),
    subject: subjectOfPullRequest(repository.id, pull_request),
    number,
    sha: pull_request.head.sha,
    shaSeenAt,
    author: { id: user.id, login: user.login },
  };
  return { kind: "several", changes: [head, { kind: "intake", intake }] };
}

function headOf(
  { pull_request, repository, installation }: Payload,
  pushedAt: string | null,
): Extract<Decision, { kind: "head" }> {
  return {
    kind: "head",
    head: {
      installationId: installation.id,
      repositoryId: repository.id,
      subject: subjectOfPullRequest(repository.id, pull_request),
      sha: pull_request.head.sha,
      pushedAt: pushedAt === null ? null : new Date(pushedAt),
      openedAt: new Date(pull_request.created_at),
      draft: pull_request.draft,
    },
  };
}

/** Autolith closes pull requests of its own too, when they are not needed any more; that is no refusal. */
function decideOwn({ action, pull_request, repository, sender }: Payload): Decision {
  if (!isPerson(sender)) return ignore("no person did it");
  const ours = { repositoryId: repository.id, pullRequest: pull_request.number };
  if (action === "closed" && !pull_request.merged) return { kind: "refusal", ...ours, refused: true };
  if (action === "reopened") return { kind: "refusal", ...ours, refused: false };
  return ignore(`nothing follows from a pull request of ours being ${action}`);
}
