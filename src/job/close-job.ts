import { closeCheckRun, findCheckRun } from "../github/check-run.ts";
import { findRepository } from "../github/repository.ts";
import { writeStickyComment } from "../github/sticky-comment.ts";
import { redact } from "../redact.ts";
import { isGreetedOn } from "../store/repositories.ts";
import type { ActiveJob } from "./active-job.ts";
import { conclusionOf } from "./conclusion-of.ts";
import type { FixServices } from "./fix-services.ts";
import { conversationOf } from "./job.ts";
import { takeBack } from "./take-back.ts";
import { commentText, type Ended, endedText, mannerOf, openedEnd } from "./words.ts";

/**
 * Says how a job ended that did not come to its own end. What it opened is looked for at GitHub, since it may have died in between;
 * where it had said nothing yet, nothing is said. Gives the ending that was said: what was proposed before stays proposed.
 */
export async function closeJob(
  active: ActiveJob,
  decided: Ended,
  services: FixServices,
  signal: AbortSignal,
): Promise<Ended> {
  const { appId, database, secrets } = services;
  const { installationId, repository: known, sha, subject } = active.job;
  const proposed = await takeBack(active, services, signal);
  const ending = proposed === null ? decided : openedEnd(proposed);
  const github = await services.access.client({ installationId, repositoryId: known.id }, "talk", signal);
  const repository = await findRepository(github, known.id, signal);
  const checkRun =
    sha === null ? null : await findCheckRun(github, repository, { headSha: sha, externalId: active.id }, signal);
  // On an issue somebody asked, and waits for an answer.
  if (checkRun === null && subject.kind !== "issue") return ending;
  const { title, summary } = endedText(ending, mannerOf(subject));
  const text = { title: redact(title, secrets), summary: redact(summary, secrets) };
  const conclusion = conclusionOf(ending.outcome);
  if (checkRun !== null) await closeCheckRun(github, repository, checkRun, { conclusion, text }, signal);
  const issue = conversationOf(subject);
  if (issue === null) return ending;
  const isFirst = await isGreetedOn(database, { id: known.id, installationId }, issue);
  await writeStickyComment(github, repository, { issue, appId, text: commentText(text, isFirst) }, signal);
  return ending;
}
