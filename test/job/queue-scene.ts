import { randomUUID } from "node:crypto";
import { fixQueue } from "../../src/job/boss.ts";
import { claimJob } from "../../src/job/claim.ts";
import { type FixJob, fixJobSchema, keyOf } from "../../src/job/job.ts";
import type { Queue } from "../../src/job/queue.ts";
import { findOpenJobs } from "../../src/store/jobs.ts";
import { type FixJobParts, fixJob, freshRepository, sha } from "./fix-job.ts";

/** The subject of the jobs in a scene. */
export const branch = { kind: "branch", branch: "feature", pullRequest: 5 } as const;

export const delivery = () => ({ guid: randomUUID(), event: "check_run" });

/** The jobs of a repository that no other test uses, and what is asked there. */
export function queueScene(queue: Queue) {
  const repositoryId = freshRepository();
  const open = () => findOpenJobs(queue.store.database, keyOf(repositoryId, branch));
  return {
    queue,
    repositoryId,
    open,
    ask: (parts: FixJobParts = {}) => queue.apply({ kind: "fix", job: fixJob({ repositoryId, ...parts }) }),
    /** Seconds until the waiting job starts. */
    wait: async () => secondsToStart(queue, (await open()).queued?.queueId ?? ""),
    causes: async (): Promise<FixJob["causes"]> => fixJobSchema.parse((await open()).queued?.work).causes,
    /** Makes the waiting job a running one. */
    begin: async () => {
      const { id = "", queueId = "" } = (await open()).queued ?? {};
      await queue.store.database.transaction((database) => queue.dispatch.reschedule(database, queueId, 0));
      await queue.boss.fetch(fixQueue, { batchSize: 50 });
      await claimJob(queue, id);
      return id;
    },
  };
}

/** What is told of a push to the pull request. */
export function pushed(repositoryId: number, letter: string, pushedAt: string) {
  const moments = { pushedAt: new Date(pushedAt), openedAt: new Date("2026-05-01T11:00:00Z") };
  const head = { installationId: 42, repositoryId, subject: branch, sha: sha(letter), draft: false, ...moments };
  return { kind: "head", head } as const;
}

/** What is told when a pull request becomes a draft, or ready. */
export function drafted(repositoryId: number, draft: boolean) {
  const { head } = pushed(repositoryId, "a", "2026-05-01T11:00:00Z");
  return { kind: "head", head: { ...head, pushedAt: null, draft } } as const;
}

async function secondsToStart({ boss }: Queue, queueId: string): Promise<number> {
  const [job] = await boss.findJobs(fixQueue, { id: queueId });
  if (job === undefined) throw new Error(`the queue has no job ${queueId}`);
  return (job.startAfter.getTime() - Date.now()) / 1000;
}
