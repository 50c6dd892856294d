import { lastPush } from "../github/last-push.ts";
import type { GitHub } from "../github/octokit.ts";
import { mayWrite } from "../github/permission.ts";
import { react } from "../github/reaction.ts";
import { replyOnce } from "../github/reply.ts";
import { findRepository, named, type Repository } from "../github/repository.ts";
import { branchPrefix } from "../pull-request/fix-branch.ts";
import type { Change, Effect } from "./change.ts";
import { type Declined, declinedText, helpText, unknownText } from "./command-words.ts";
import type { FixServices } from "./fix-services.ts";
import type { Intake } from "./intake.ts";
import { askForIssue } from "./issue-intake.ts";
import type { Subject } from "./job.ts";
import { reachOf } from "./reach-of.ts";

export type CommandIntake = Extract<Intake, { kind: "command" }>;

/** What intakes need besides GitHub. */
export interface IntakeServices extends Pick<FixServices, "access" | "appId"> {
  readonly apply: (change: Change) => Promise<Effect>;
  /** Pull requests that jobs of a key opened, latest first. */
  readonly proposals: (key: string) => Promise<readonly number[]>;
}

/** Does what a person's comment asks, if that person may write to the repository; to others there is a reaction and no word. */
export async function takeCommand(intake: CommandIntake, services: IntakeServices, signal: AbortSignal): Promise<void> {
  const { command, comment, issue } = intake;
  const { access, appId } = services;
  const github = await access.client(reachOf(intake), "talk", signal);
  const repository = await findRepository(github, intake.repository.id, signal);
  const answer = (content: "eyes" | "confused") =>
    react(github, repository, { commentId: comment.id, content }, signal);
  const reply = async (text: string | null): Promise<void> => {
    if (text === null || issue.isLocked) return;
    const { id: commentId, createdAt } = comment;
    await replyOnce(github, repository, { issue: issue.number, appId, commentId, createdAt, text }, signal);
  };
  if (!(await mayWrite(github, repository, comment.user, signal))) return answer("confused");
  switch (command.name) {
    case "help":
      return reply(helpText);
    case "unknown":
      return reply(unknownText(command.word, command.suggestion));
    case "stop": {
      const subject = await subjectOf(github, repository, intake, signal);
      await services.apply({ kind: "cancel", repositoryId: repository.id, subject, cause: "stopped" });
      return answer("eyes");
    }
    case "fix":
    case "review": {
      const ask = issue.isPullRequest ? askForJob : askForIssue;
      const declined = await ask(github, repository, { ...intake, command }, services, signal);
      if (declined === null) return answer("eyes");
      return reply(declinedText(declined, command.name));
    }
  }
}

/** Queues a job for the commit that the person saw; says why not, when there is none. */
async function askForJob(
  github: GitHub,
  repository: Repository,
  intake: CommandIntake & { readonly command: { readonly name: "fix" | "review" } },
  services: IntakeServices,
  signal: AbortSignal,
): Promise<Declined | null> {
  const { issue, comment, installationId, command } = intake;
  const { data } = await github.rest.pulls.get({
    ...named(repository),
    pull_number: issue.number,
    request: { signal },
  });
  if (data.state !== "open") return "closed";
  const isOwn = data.head.repo?.id === repository.id;
  if (isOwn && data.head.ref.startsWith(branchPrefix)) return "own";
  const pushedAt = isOwn ? await pushedTo(data.head.ref, intake, repository, services, signal) : null;
  // Both times are of whole seconds: in doubt it was pushed since.
  if (pushedAt !== null && pushedAt >= new Date(comment.createdAt)) return "pushed-since";
  const { id: userId, login } = comment.user;
  const hint = command.name === "fix" ? command.hint : null;
  const known = {
    installationId,
    repository: intake.repository,
    subject: isOwn
      ? { kind: "branch" as const, branch: data.head.ref, pullRequest: issue.number }
      : { kind: "fork" as const, pullRequest: issue.number },
    sha: data.head.sha,
    shaSeenAt: (pushedAt ?? new Date(comment.createdAt)).toISOString(),
    causes: [{ kind: "command" as const, commentId: comment.id, userId, login, hint, askedAt: comment.createdAt }],
  };
  const effect = await services.apply(
    command.name === "fix"
      ? { kind: "fix", job: { kind: "fix", ...known } }
      : { kind: "review", job: { kind: "review", ...known, bot: null } },
  );
  return effect.kind === "ignored" ? effect.reason : null;
}

async function pushedTo(
  branch: string,
  intake: CommandIntake,
  repository: Repository,
  { access }: IntakeServices,
  signal: AbortSignal,
): Promise<Date | null> {
  const github = await access.client(reachOf(intake), "evidence", signal);
  return lastPush(github, repository, branch, signal);
}

async function subjectOf(
  github: GitHub,
  repository: Repository,
  { issue }: CommandIntake,
  signal: AbortSignal,
): Promise<Subject> {
  if (!issue.isPullRequest) return { kind: "issue", issue: issue.number };
  const { data } = await github.rest.pulls.get({
    ...named(repository),
    pull_number: issue.number,
    request: { signal },
  });
  return data.head.repo?.id === repository.id
    ? { kind: "branch", branch: data.head.ref, pullRequest: issue.number }
    : { kind: "fork", pullRequest: issue.number };
}
