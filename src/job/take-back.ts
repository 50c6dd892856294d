import { findRepository } from "../github/repository.ts";
import { branchSubject, withdrawFixBranch } from "../pull-request/fix-branch.ts";
import type { ActiveJob } from "./active-job.ts";
import type { FixServices } from "./fix-services.ts";
import { reachOf } from "./reach-of.ts";
import { fromResume } from "./resume.ts";

/**
 * Looks after what an attempt that broke off had published, when the job is not going to publish any more. Gives the number of its pull
 * request, which stays; a branch without one is deleted.
 */
export async function takeBack(active: ActiveJob, services: FixServices, signal: AbortSignal): Promise<number | null> {
  const { job, progress } = active;
  if (progress.pullRequest !== null) return progress.pullRequest;
  const proven = fromResume(progress.resume);
  const startCommit = job.sha ?? progress.sha;
  if (proven === null || job.subject.kind === "fork" || startCommit === null) return null;
  const github = await services.access.client(reachOf(job), "publish", signal);
  const repository = await findRepository(github, job.repository.id, signal);
  const want = { subject: branchSubject(job.subject), startCommit, tree: proven.repair.tree };
  return withdrawFixBranch(github, repository, want, signal);
}
