import { headOf } from "../github/head-of.ts";
import type { GitHub } from "../github/octokit.ts";
import { mayWrite } from "../github/permission.ts";
import { findRepository, named, type Repository } from "../github/repository.ts";
import { branchPrefix } from "../pull-request/fix-branch.ts";
import type { IntakeServices } from "./command-intake.ts";
import type { Intake } from "./intake.ts";
import type { Cause, Subject } from "./job.ts";
import { reachOf } from "./reach-of.ts";

export type CommitIntake = Extract<Intake, { kind: "commit" | "rerun" }>;

/** Finds out what a commit belongs to whose event did not say, and queues a job for it. A re-run counts only from who may write. */
export async function takeCommit(intake: CommitIntake, services: IntakeServices, signal: AbortSignal): Promise<void> {
  const github = await services.access.client(reachOf(intake), "evidence", signal);
  const repository = await findRepository(github, intake.repository.id, signal);
  if (intake.kind === "rerun" && !(await mayWrite(github, repository, intake.user, signal))) return;
  const subject = await subjectOf(github, repository, intake.sha, signal);
  if (subject === null) return;
  const { installationId, sha } = intake;
  const shaSeenAt = intake.kind === "commit" ? intake.shaSeenAt : intake.askedAt;
  const known = { installationId, repository: intake.repository, sha, shaSeenAt, subject, causes: [causeOf(intake)] };
  await services.apply(
    intake.kind === "rerun" && intake.of === "review"
      ? { kind: "review", job: { kind: "review", ...known, bot: null } }
      : { kind: "fix", job: { kind: "fix", ...known } },
  );
}

function causeOf(intake: CommitIntake): Cause {
  if (intake.kind === "commit") return intake.cause;
  const { checkRunId, user, askedAt } = intake;
  return { kind: "rerun", checkRunId, userId: user.id, login: user.login, askedAt };
}

/** Pages of open pull requests that are looked through, latest first. */
const pagesSearched = 3;

/** What a commit is the head of: the default branch, or an open pull request; null when of nothing, or of a branch of ours. */
async function subjectOf(
  github: GitHub,
  repository: Repository,
  sha: string,
  signal: AbortSignal,
): Promise<Subject | null> {
  const { defaultBranch: branch } = repository;
  if ((await headOf(github, repository, branch, signal)) === sha) return { kind: "branch", branch, pullRequest: null };
  // A commit of a fork is not listed under the pull requests of that commit, so the open ones are gone through.
  for (let page = 1; page <= pagesSearched; page += 1) {
    const { data } = await github.rest.pulls.list({
      ...named(repository),
      ...{ state: "open", sort: "updated", direction: "desc", per_page: 100, page },
      request: { signal },
    });
    const found = data.find(({ head }) => head.sha === sha);
    if (found !== undefined) return subjectOfHead(repository, found);
    if (data.length < 100) break;
  }
  return null;
}

function subjectOfHead(
  repository: Repository,
  {
    number,
    head,
  }: { readonly number: number; readonly head: { readonly ref: string; readonly repo: { id: number } | null } },
): Subject | null {
  if (head.repo?.id !== repository.id) return { kind: "fork", pullRequest: number };
  return head.ref.startsWith(branchPrefix) ? null : { kind: "branch", branch: head.ref, pullRequest: number };
}
