import { expect, test } from "vitest";
import { fixQueue } from "../../src/job/boss.ts";
import { claimJob, finish } from "../../src/job/claim.ts";
import { ticketSchema } from "../../src/job/dispatch.ts";
import type { Queue } from "../../src/job/queue.ts";
import { fixJob, freshRepository } from "./fix-job.ts";
import { dialects, useQueue } from "./use-queue.ts";

test.each(dialects.map((dialect) => ({ dialect, opened: useQueue(dialect, 0) })))(
  "on $dialect a repository with many jobs lets others have their turn, and has its own",
  async ({ opened }) => {
    const queue = opened();
    const [busy, other, third] = [freshRepository(), freshRepository(), freshRepository()];
    for (const branch of ["a", "b", "c", "d"]) await ask(queue, busy, branch);
    await ask(queue, other, "a");
    await ask(queue, other, "b");
    expect([await next(queue), await next(queue)]).toEqual([`${busy} a`, `${other} a`]);
    await ask(queue, third, "a");
    // Second turns of those who were there, and whoever comes now is no later.
    expect([await next(queue), await next(queue), await next(queue)]).toEqual([
      `${busy} b`,
      `${other} b`,
      `${third} a`,
    ]);
    await ask(queue, third, "b");
    expect([await next(queue), await next(queue)]).toEqual([`${busy} c`, `${third} b`]);
    // The last job of the busy one waited long enough: jobs that come later do not overtake it again.
    await ask(queue, other, "c");
    await ask(queue, third, "c");
    expect([await next(queue), await next(queue), await next(queue)]).toEqual([
      `${busy} d`,
      `${other} c`,
      `${third} c`,
    ]);
  },
);

function ask(queue: Queue, repositoryId: number, branch: string) {
  const subject = { kind: "branch", branch, pullRequest: null } as const;
  return queue.apply({ kind: "fix", job: fixJob({ repositoryId, subject }) });
}

/** Does the job whose turn it is, and says which one that was. */
async function next(queue: Queue): Promise<string> {
  const [ticket] = await queue.boss.fetch(fixQueue, { includeMetadata: true });
  if (ticket === undefined) throw new Error("no job waits");
  const claimed = await claimJob(queue, ticketSchema.parse(ticket.data).jobId);
  if (claimed.kind !== "run") throw new Error(`the job was ${claimed.kind}`);
  await finish(queue, claimed.row, ticket, { outcome: "gave-up", reason: "a test" });
  return claimed.row.key.replace(":refs/heads/", " ");
}
