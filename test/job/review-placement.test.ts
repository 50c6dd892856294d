import { describe, expect, test } from "vitest";
import { type Cause, type ReviewJob, reviewKeyOf } from "../../src/job/job.ts";
import { place } from "../../src/job/placement.ts";
import { findOpenJobs } from "../../src/store/jobs.ts";
import { check, command, fixJob, sha } from "./fix-job.ts";
import { branch, delivery, queueScene } from "./queue-scene.ts";
import { dialects, useQueue } from "./use-queue.ts";

const pushed: Cause = { kind: "pull-request", number: 5 };
const bot = { id: 49_699_333, login: "dependabot[bot]" };

function reviewJob(parts: Partial<ReviewJob> = {}): ReviewJob {
  return { ...fixJob(), kind: "review", sha: sha("a"), bot, causes: [pushed], ...parts };
}

const nothing = { queued: null, active: null, ended: [], head: null };

test("a head is reviewed once, and again when somebody asks", () => {
  const ended = { ...nothing, ended: [{ job: reviewJob(), outcome: "clean" }] };
  expect(place(reviewJob(), ended)).toEqual({ kind: "ignored", reason: "handled" });
  expect(place(reviewJob({ causes: [command(1)] }), ended).kind).toBe("queues");
});

test("a review that was cut off by the closing of its pull request is done when that is opened again", () => {
  const ended = { ...nothing, ended: [{ job: reviewJob(), outcome: "cancelled" }] };
  expect(place(reviewJob(), ended).kind).toBe("queues");
});

test("a bot's event tells a review that somebody asked for whose the pull request is", () => {
  const asked = reviewJob({ causes: [command(1)], bot: null });
  expect(place(reviewJob(), { ...nothing, queued: asked })).toMatchObject({ kind: "joins-queued", job: { bot } });
});

test("what a review saw does not start a repair that a failing check has had already", () => {
  const seen = fixJob({ causes: [{ kind: "review", jobId: "r" }] });
  const after = (outcome: string) =>
    place(seen, { ...nothing, ended: [{ job: fixJob({ causes: [check("test")] }), outcome }] });
  expect(after("opened")).toEqual({ kind: "ignored", reason: "handled" });
  expect(after("infrastructure").kind).toBe("queues");
  expect(place(seen, { ...nothing, queued: fixJob() }).kind).toBe("joins-queued");
});

describe.each(dialects)("on %s", (dialect) => {
  const queue = useQueue(dialect);

  test("a review and a repair of one head wait side by side; a newer push ends both, and so does the closing", async () => {
    const scene = queueScene(queue());
    const { repositoryId } = scene;
    const reviews = () => findOpenJobs(queue().store.database, reviewKeyOf(repositoryId, branch));
    const repository = { ...fixJob().repository, id: repositoryId };
    await scene.ask();
    await queue().apply({ kind: "review", job: reviewJob({ repository }) });
    expect([(await scene.open()).queued, (await reviews()).queued]).not.toContain(null);
    const head = { installationId: 42, repositoryId, subject: branch, sha: sha("b"), draft: false };
    const at = new Date("2026-05-01T13:00:00Z");
    await queue().accept(delivery(), {
      kind: "several",
      changes: [{ kind: "head", head: { ...head, pushedAt: at, openedAt: at } }],
    });
    expect([(await scene.open()).queued, (await reviews()).queued]).toEqual([null, null]);
    await queue().apply({ kind: "review", job: reviewJob({ repository, sha: sha("b"), shaSeenAt: at.toISOString() }) });
    expect((await reviews()).queued).not.toBeNull();
    await queue().apply({ kind: "cancel", repositoryId, subject: branch, cause: "closed" });
    expect((await reviews()).queued).toBeNull();
  });
});
