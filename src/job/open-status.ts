import { messageOf } from "../errors.ts";
import { rateLimitedUntil } from "../github/rate-limit.ts";
import { findRepository } from "../github/repository.ts";
import { writeStickyComment } from "../github/sticky-comment.ts";
import { isGreetedOn } from "../store/repositories.ts";
import type { ActiveJob } from "./active-job.ts";
import type { FixServices } from "./fix-services.ts";
import { conversationOf, type FixJob } from "./job.ts";
import { reachOf } from "./reach-of.ts";
import type { StartPoint } from "./start-point.ts";
import { Status } from "./status.ts";
import { commentText, type Ended, endedText, mannerOf, type StatusText } from "./words.ts";

export interface OpenStatusOptions {
  readonly active: ActiveJob;
  readonly start: StartPoint;
  readonly services: FixServices;
}

const updateEveryMs = 5_000;

/** Opens the job's check run, which an issue has not, and on an issue or a pull request the comment; their ids are stored at once. */
export async function openStatus(options: OpenStatusOptions, text: StatusText, signal: AbortSignal): Promise<Status> {
  const { active, start, services } = options;
  const { access, appId, database, secrets, log } = services;
  const { repository, place } = start;
  const { id: jobId, job } = active;
  const issue = place.kind === "default-branch" ? null : place.number;
  const headSha = place.kind === "issue" ? null : start.sha;
  const github = await access.client(reachOf(job), "talk", signal);
  const isFirst = issue !== null && (await isGreetedOn(database, greeted(job), issue));
  const status = await Status.open(
    {
      ...{ github, repository, appId, headSha, jobId, issue, isFirst, secrets },
      everyMs: services.updateEveryMs ?? updateEveryMs,
      onError: (error) => {
        log.warn({ jobId, reason: messageOf(error) }, "the state of a job could not be shown");
        return rateLimitedUntil(error, new Date());
      },
    },
    text,
    signal,
  );
  await active.record(status.ids);
  return status;
}

/** Answers a person who asked for what cannot be done any more: there is no commit to show a check run on. */
export async function sayStopped(
  job: FixJob,
  ended: Ended,
  { access, appId, database }: FixServices,
  signal: AbortSignal,
): Promise<void> {
  const issue = conversationOf(job.subject);
  if (issue === null) return;
  const github = await access.client(reachOf(job), "talk", signal);
  const repository = await findRepository(github, job.repository.id, signal);
  const isFirst = await isGreetedOn(database, greeted(job), issue);
  const text = commentText(endedText(ended, mannerOf(job.subject)), isFirst);
  await writeStickyComment(github, repository, { issue, appId, text }, signal);
}

function greeted({ repository, installationId }: Pick<FixJob, "repository" | "installationId">): {
  id: number;
  installationId: number;
} {
  return { id: repository.id, installationId };
}
