import { rateLimitedUntil } from "../github/rate-limit.ts";
import { findProposals } from "../store/jobs.ts";
import { closeJob } from "./close-job.ts";
import { takeCommand } from "./command-intake.ts";
import { takeCommit } from "./commit-intake.ts";
import type { FixServices } from "./fix-services.ts";
import { takePullRequest } from "./pull-request-intake.ts";
import type { Queue } from "./queue.ts";
import { takeReady } from "./ready-intake.ts";
import { closeReview } from "./review-check.ts";
import type { Handlers } from "./worker.ts";

/**
 * What a worker does with jobs and intakes. The pipelines are loaded by the first job that needs them: a service waits for most of its
 * time, and they are four fifths of its code.
 */
export function jobHandlers(services: FixServices, queue: Pick<Queue, "apply">): Handlers {
  const proposals = (key: string) => findProposals(services.database, key);
  const intakeServices = { ...services, apply: queue.apply, proposals };
  return {
    run: async (job, signal) => {
      try {
        if (job.job.kind === "review") {
          const { runReviewJob } = await import("./review-job.ts");
          return await runReviewJob(job, intakeServices, signal);
        }
        const { runFixJob } = await import("./fix-job.ts");
        return await runFixJob(job, services, signal);
      } catch (error) {
        const until = rateLimitedUntil(error, new Date());
        if (until === null) throw error;
        return { kind: "postponed", until, reason: "GitHub's rate limit is used up" };
      }
    },
    close: async (job, ending, signal) => {
      if (job.job.kind === "review") await closeReview(job, ending, services, signal);
      else await closeJob(job, ending, services, signal);
    },
    intake: (intake, signal) => {
      switch (intake.kind) {
        case "command":
          return takeCommand(intake, intakeServices, signal);
        case "pull-request":
          return takePullRequest(intake, intakeServices, signal);
        case "ready":
          return takeReady(intake, intakeServices, signal);
        case "commit":
        case "rerun":
          return takeCommit(intake, intakeServices, signal);
      }
    },
  };
}
