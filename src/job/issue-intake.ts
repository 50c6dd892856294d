import { readIssue } from "../github/issue.ts";
import type { GitHub } from "../github/octokit.ts";
import { named, type Repository } from "../github/repository.ts";
import type { CommandIntake, IntakeServices } from "./command-intake.ts";
import type { Declined } from "./command-words.ts";
import { type FixJob, keyOf, type Subject } from "./job.ts";
import { reportOf } from "./report-of.ts";

/**
 * Queues a job for an issue, with title, text and earlier comments as they were when the person asked; says why not, when there is none.
 * What was changed since is not what they saw, so it has to be asked again.
 */
export async function askForIssue(
  github: GitHub,
  repository: Repository,
  intake: CommandIntake & { readonly command: { readonly name: "fix" | "review" } },
  services: IntakeServices,
  signal: AbortSignal,
): Promise<Declined | null> {
  const { installationId, comment, command } = intake;
  if (command.name !== "fix") return "no-pull-request";
  const { hint } = command;
  const { number } = intake.issue;
  const issue = await readIssue(github, repository, number, signal);
  if (issue === null) return "gone";
  if (!issue.isOpen) return "issue-closed";
  // There would be no place for an answer.
  if (issue.isLocked) return "locked";
  const askedAt = new Date(comment.createdAt);
  // Both times are of whole seconds: in doubt it was changed since.
  if (issue.editedAt !== null && issue.editedAt >= askedAt) return "edited-since";
  const subject: Subject = { kind: "issue", issue: number };
  const proposal = await openProposal(github, repository, subject, services, signal);
  if (proposal !== null) return { proposal };
  const { id: userId, login } = comment.user;
  const job: FixJob = {
    ...{ kind: "fix", installationId, repository: intake.repository, subject, sha: null },
    shaSeenAt: comment.createdAt,
    report: await reportOf(github, repository, issue, askedAt, signal),
    causes: [{ kind: "command", commentId: comment.id, userId, login, hint, askedAt: comment.createdAt }],
  };
  const effect = await services.apply({ kind: "fix", job });
  return effect.kind === "ignored" ? effect.reason : null;
}

/** Our pull request for an issue that people have not decided about yet. */
async function openProposal(
  github: GitHub,
  repository: Repository,
  subject: Subject,
  { proposals }: IntakeServices,
  signal: AbortSignal,
): Promise<number | null> {
  for (const number of await proposals(keyOf(repository.id, subject))) {
    const { data } = await github.rest.pulls.get({ ...named(repository), pull_number: number, request: { signal } });
    if (data.state === "open") return number;
  }
  return null;
}
