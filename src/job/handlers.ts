import { closeJob } from "./close-job.ts";
import { takeCommand } from "./command-intake.ts";
import { takeCommit } from "./commit-intake.ts";
import { runFixJob } from "./fix-job.ts";
import type { FixServices } from "./fix-services.ts";
import type { Queue } from "./queue.ts";
import type { Handlers } from "./worker.ts";

/** What a worker does with jobs and intakes. */
export function jobHandlers(services: FixServices, queue: Pick<Queue, "apply">): Handlers {
  const intakeServices = { ...services, apply: queue.apply };
  return {
    run: (job, signal) => runFixJob(job, services, signal),
    close: (job, ending, signal) => closeJob(job, ending, services, signal),
    intake: (intake, signal) =>
      intake.kind === "command"
        ? takeCommand(intake, intakeServices, signal)
        : takeCommit(intake, intakeServices, signal),
  };
}
