import { describe, expect, test } from "vitest";
import { fixJobSchema } from "../../src/job/job.ts";
import { findJob } from "../../src/store/jobs.ts";
import { check, command } from "./fix-job.ts";
import { queueScene } from "./queue-scene.ts";
import { dialects, useQueue } from "./use-queue.ts";

describe.each(dialects)("on %s", (dialect) => {
  const opened = useQueue(dialect);

  function scene() {
    const { queue, repositoryId, ...rest } = queueScene(opened());
    const withdraw = (commentId: number) =>
      queue.apply({ kind: "withdraw", installationId: 42, repositoryId, commentId });
    return { ...rest, queue, withdraw };
  }

  test("deleting the comment that asked for it ends the job that waits", async () => {
    const { ask, open, withdraw, queue } = scene();
    const asked = await ask({ causes: [command(1)] });
    await withdraw(1);
    expect(await open()).toEqual({ queued: null, active: null });
    const id = "jobId" in asked ? asked.jobId : "";
    const reason = "the comment that asked for it was deleted";
    expect(await findJob(queue.store.database, id)).toMatchObject({ outcome: "cancelled", reason });
  });

  test("deleting it tells the job that runs to end", async () => {
    const { ask, open, begin, withdraw } = scene();
    await ask({ causes: [command(1)] });
    await begin();
    await withdraw(1);
    expect((await open()).active).toMatchObject({ ending: { cause: "withdrawn", outcome: "cancelled" } });
  });

  test("a job that a check or somebody else asks for too goes on without that wish", async () => {
    const { ask, open, withdraw } = scene();
    await ask({ causes: [check("test"), command(1), command(2)] });
    await withdraw(1);
    const { queued } = await open();
    expect(fixJobSchema.parse(queued?.work).causes).toEqual([check("test"), command(2)]);
  });

  test("deleting any other comment changes nothing", async () => {
    const { ask, open, withdraw } = scene();
    await ask({ causes: [command(1)] });
    await withdraw(3);
    expect((await open()).queued).not.toBeNull();
  });
});
