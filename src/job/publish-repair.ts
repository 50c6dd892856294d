import type { Checkout } from "../checkout/snapshot.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { readIssue } from "../github/issue.ts";
import { findRepository } from "../github/repository.ts";
import type { TestCommand } from "../runner/test-command.ts";
import type { TraceRecord } from "../trace/event.ts";
import type { ActiveJob } from "./active-job.ts";
import type { FixServices } from "./fix-services.ts";
import type { FixJob } from "./job.ts";
import { publish } from "./publish.ts";
import { reachOf } from "./reach-of.ts";
import type { Proven } from "./resume.ts";
import { isStillHead, type StartPoint } from "./start-point.ts";
import { suggestionText } from "./suggestion.ts";
import { takeBack } from "./take-back.ts";
import { type Ended, openedEnd, tooLong } from "./words.ts";

export interface PublishRepairOptions {
  readonly active: ActiveJob;
  readonly services: FixServices;
  readonly job: FixJob;
  readonly start: StartPoint;
  readonly checkout: Checkout;
  readonly command: TestCommand;
  readonly evidence: Evidence;
  readonly proven: Proven;
  readonly records: readonly TraceRecord[];
}

/** Once begun it is brought to its end, or a branch without a pull request might stay behind. */
const publishMs = 300_000;

const moved: Ended = {
  outcome: "stale",
  reason: "a newer commit was pushed while this one was repaired; nothing was pushed",
};

const closed: Ended = {
  outcome: "cancelled",
  reason: "the issue was closed while it was worked on; nothing was pushed",
};

/** Offers a proven repair: by a pull request, or where nothing may be pushed, as a patch. No sandbox is left when its token is made. */
export async function publishRepair(options: PublishRepairOptions): Promise<Ended> {
  const { start, job, services } = options;
  const signal = AbortSignal.timeout(publishMs);
  if (start.place.kind === "fork") return suggest(options, signal);
  if (start.place.kind === "issue" && !(await isWanted(options, start.place.number, signal))) return closed;
  const github = await services.access.client(reachOf(job), "publish", signal);
  const { active, proven } = options;
  const { model, secrets } = services;
  // A run takes its time, and names change.
  const repository = await findRepository(github, job.repository.id, signal);
  const publication = {
    ...{ ...options, ...proven, start: { ...start, repository } },
    ...{ jobId: active.id, model: model.name, secrets, report: job.report },
  };
  const published = await publish(github, publication, signal);
  switch (published.kind) {
    case "moved": {
      const proposed = active.attempt === 1 ? null : await takeBack(active, services, signal);
      return proposed === null ? moved : openedEnd(proposed);
    }
    case "refused":
      return { outcome: "rejected", reason: published.reason };
    case "opened": {
      const { number } = published;
      await active.record({ pullRequest: number });
      return openedEnd(number);
    }
  }
}

/** The event of its closing may be late. */
async function isWanted(
  { start, job, services }: PublishRepairOptions,
  number: number,
  signal: AbortSignal,
): Promise<boolean> {
  const github = await services.access.client(reachOf(job), "report", signal);
  const issue = await readIssue(github, start.repository, number, signal);
  return issue?.isOpen === true;
}

async function suggest(options: PublishRepairOptions, signal: AbortSignal): Promise<Ended> {
  const { start, job, services, proven } = options;
  const github = await services.access.client(reachOf(job), "evidence", signal);
  if (!(await isStillHead(github, start, signal))) return moved;
  const more = suggestionText(proven.repair, services.secrets) ?? tooLong(proven.run);
  return {
    outcome: "suggested",
    reason: "a repair is proven; the branch is in a fork, so nothing is pushed to it",
    more,
  };
}
