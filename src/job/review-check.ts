import { reviewCheckName } from "../config/check-names.ts";
import { closeCheckRun, findCheckRun, openCheckRun } from "../github/check-run.ts";
import type { GitHub } from "../github/octokit.ts";
import { findRepository, type Repository } from "../github/repository.ts";
import { redact } from "../redact.ts";
import type { ActiveJob } from "./active-job.ts";
import { conclusionOf } from "./conclusion-of.ts";
import type { JobOutcome } from "./ending.ts";
import type { FixServices } from "./fix-services.ts";
import { reachOf } from "./reach-of.ts";
import { reviewEndText } from "./review-words.ts";
import type { StatusText } from "./words.ts";

/** The check run of a review. */
export interface ReviewCheck {
  close(outcome: JobOutcome, text: StatusText, signal: AbortSignal): Promise<void>;
}

/** Opens the check run of a review on the head, or takes that of an earlier attempt. */
export async function openReviewCheck(
  { active, services, repository, headSha }: ReviewCheckOptions,
  signal: AbortSignal,
): Promise<ReviewCheck> {
  const { access, secrets } = services;
  const github = await access.client(reachOf(active.job), "talk", signal);
  const text = { title: "Reviewing", summary: "Running the tests of base and head." };
  const check = { headSha, externalId: active.id, name: reviewCheckName, text };
  const checkRunId = await openCheckRun(github, repository, check, signal);
  await active.record({ checkRunId });
  return {
    close: (outcome, end, closeSignal) => close(github, repository, checkRunId, { outcome, end, secrets }, closeSignal),
  };
}

export interface ReviewCheckOptions {
  readonly active: ActiveJob;
  readonly services: FixServices;
  readonly repository: Repository;
  readonly headSha: string;
}

/** Says how a review ended that did not come to its own end; nothing where it had said nothing yet. */
export async function closeReview(
  active: ActiveJob,
  { outcome, reason }: { readonly outcome: JobOutcome; readonly reason: string },
  { access, secrets }: FixServices,
  signal: AbortSignal,
): Promise<void> {
  const { repository: known, sha } = active.job;
  if (sha === null) return;
  const github = await access.client(reachOf(active.job), "talk", signal);
  const repository = await findRepository(github, known.id, signal);
  const check = { headSha: sha, externalId: active.id, name: reviewCheckName };
  const id = await findCheckRun(github, repository, check, signal);
  if (id === null) return;
  await close(github, repository, id, { outcome, end: reviewEndText(outcome, reason), secrets }, signal);
}

async function close(
  github: GitHub,
  repository: Repository,
  id: number,
  { outcome, end, secrets }: { outcome: JobOutcome; end: StatusText; secrets: readonly string[] },
  signal: AbortSignal,
): Promise<void> {
  const text = { title: redact(end.title, secrets), summary: redact(end.summary, secrets) };
  await closeCheckRun(github, repository, id, { conclusion: conclusionOf(outcome), text }, signal);
}
