import { expect, test } from "vitest";
import { place, type Standing } from "../../src/job/placement.ts";
import { check, command, fixJob, sha } from "./fix-job.ts";

const nothing: Standing = { queued: null, active: null, ended: [], head: null };

const older = { sha: sha("a"), shaSeenAt: "2026-05-01T12:00:00Z" };
const newer = { sha: sha("b"), shaSeenAt: "2026-05-01T13:00:00Z" };

function active(job = fixJob(), isEnding = false): Standing {
  return { ...nothing, active: { job, isEnding } };
}

function head(pushedAt: string, letter = "b", draft = false): Standing["head"] {
  return { sha: sha(letter), pushedAt: new Date(pushedAt), draft };
}

test("the first request about a branch queues a job", () => {
  expect(place(fixJob(), nothing)).toEqual({ kind: "queues", job: fixJob(), supersedesActive: false });
});

test("another failing check of the commit is absorbed by the job that waits, which keeps its time", () => {
  const placement = place(fixJob({ causes: [check("lint")] }), { ...nothing, queued: fixJob() });
  const job = fixJob({ causes: [check("test"), check("lint")] });
  expect(placement).toEqual({ kind: "joins-queued", job, startsNow: false });
});

test("the same check again adds nothing but its latest run", () => {
  const placement = place(fixJob({ causes: [check("test", 2)] }), { ...nothing, queued: fixJob() });
  expect(placement).toMatchObject({ job: { causes: [check("test", 2)] } });
});

test("a command joins the job that waits for the commit, and starts it", () => {
  const placement = place(fixJob({ causes: [command(1)] }), { ...nothing, queued: fixJob() });
  expect(placement).toMatchObject({
    kind: "joins-queued",
    startsNow: true,
    job: { causes: [command(1), check("test")] },
  });
});

test.each([[check("lint")], [command(1)]])("%j joins the job that runs for the commit", (cause) => {
  const placement = place(fixJob({ causes: [cause] }), active());
  expect(placement.kind).toBe("joins-active");
  expect(placement).toMatchObject({ job: { causes: expect.arrayContaining([cause, check("test")]) } });
});

test("a newer commit takes the place of the job that waits and supersedes the one that runs", () => {
  const job = fixJob(newer);
  expect(place(job, { ...nothing, queued: fixJob(older) })).toEqual({
    kind: "replaces-queued",
    job,
    supersedesActive: false,
  });
  expect(place(job, active(fixJob(older)))).toEqual({ kind: "queues", job, supersedesActive: true });
});

test("a job that is ending already is not superseded once more", () => {
  expect(place(fixJob(newer), active(fixJob(older), true))).toMatchObject({ kind: "queues", supersedesActive: false });
});

test.each([
  ["waits", { ...nothing, queued: fixJob(newer) }],
  ["runs", active(fixJob(newer))],
  ["was pushed", { ...nothing, head: head("2026-05-01T13:00:00Z") }],
])("a late check of an older commit is ignored when a newer one %s", (_how, standing) => {
  expect(place(fixJob(older), standing)).toEqual({ kind: "ignored", reason: "older-commit" });
});

test("of two commits pushed within one second, the one that the branch is known to be at stays", () => {
  const second = fixJob({ ...older, sha: sha("b") });
  const standing = { ...nothing, queued: second, head: head(older.shaSeenAt) };
  expect(place(fixJob(older), standing)).toEqual({ kind: "ignored", reason: "older-commit" });
  const behind = { ...standing, queued: fixJob(older) };
  expect(place(second, behind)).toMatchObject({ kind: "replaces-queued", job: second });
});

test("moments are compared as moments, whatever their precision", () => {
  const standing = { ...nothing, queued: fixJob({ ...newer, shaSeenAt: "2026-05-01T12:00:00.500Z" }) };
  expect(place(fixJob(older), standing)).toEqual({ kind: "ignored", reason: "older-commit" });
});

test("the check of the commit that was just pushed is not held to be old", () => {
  const standing = { ...nothing, head: head("2026-05-01T12:00:02Z", "a") };
  expect(place(fixJob(older), standing).kind).toBe("queues");
});

test("a draft is left alone, unless somebody asks", () => {
  const standing = { ...nothing, head: head("2026-05-01T12:00:00Z", "a", true) };
  expect(place(fixJob(), standing)).toEqual({ kind: "ignored", reason: "draft" });
  expect(place(fixJob({ causes: [command(1)] }), standing).kind).toBe("queues");
});

test.each(["2026-05-01T12:10:00Z", "2026-05-01T12:11:00Z"])(
  "a command before a push at %s has to be repeated",
  (at) => {
    const request = fixJob({ ...newer, causes: [command(1, "2026-05-01T12:10:00Z")] });
    expect(place(request, { ...nothing, head: head(at) })).toEqual({ kind: "ignored", reason: "pushed-since" });
  },
);

test("a command after the last push counts", () => {
  const request = fixJob({ causes: [command(1, "2026-05-01T12:10:00Z")] });
  expect(place(request, { ...nothing, head: head("2026-05-01T12:09:59Z", "a") }).kind).toBe("queues");
});

test.each([
  ["waits", { ...nothing, queued: fixJob({ causes: [command(1)] }) }],
  ["runs", active(fixJob({ causes: [command(1)] }))],
  ["ended", { ...nothing, ended: [{ job: fixJob({ causes: [command(1)] }), outcome: "gave-up" }] }],
])("a comment that belongs to a job which %s is not counted twice", (_how, standing) => {
  expect(place(fixJob({ causes: [command(1)] }), standing)).toEqual({ kind: "ignored", reason: "known" });
});

test("five people who ask within seconds share one job", () => {
  let job = fixJob({ causes: [command(1)] });
  for (const id of [2, 3, 4, 5]) {
    const placement = place(fixJob({ causes: [command(id)] }), active(job));
    if (placement.kind !== "joins-active") throw new Error(placement.kind);
    job = placement.job;
  }
  expect(job.causes).toHaveLength(5);
});

test("a check that failed for an ended job of the commit is not tried again, a new one is", () => {
  const standing = { ...nothing, ended: [{ job: fixJob(), outcome: "gave-up" }] };
  expect(place(fixJob(), standing)).toEqual({ kind: "ignored", reason: "handled" });
  expect(place(fixJob({ causes: [check("lint")] }), standing).kind).toBe("queues");
  expect(place(fixJob({ causes: [command(1)] }), standing).kind).toBe("queues");
});

test.each(["infrastructure", "stale"])("an ended job with the outcome %s says nothing about the failure", (outcome) => {
  expect(place(fixJob(), { ...nothing, ended: [{ job: fixJob(), outcome }] }).kind).toBe("queues");
});

test("a job that somebody stopped is not started again by a check, but by a person", () => {
  const standing = active(fixJob(), true);
  expect(place(fixJob({ causes: [check("lint")] }), standing)).toEqual({ kind: "ignored", reason: "handled" });
  expect(place(fixJob({ causes: [command(1)] }), standing)).toMatchObject({ kind: "queues", supersedesActive: false });
});

test("an issue has no commit, and commands about it join the job that runs", () => {
  const issue = { subject: { kind: "issue", issue: 9 }, sha: null } as const;
  const standing = active(fixJob({ ...issue, causes: [command(1)] }));
  expect(place(fixJob({ ...issue, causes: [command(2)] }), standing).kind).toBe("joins-active");
});

test("the causes of a matrix with thousands of cells do not grow without end, and people are kept", () => {
  const cells = Array.from({ length: 5000 }, (_, cell) => check(`test (${cell})`));
  const placement = place(fixJob({ causes: [command(1)] }), { ...nothing, queued: fixJob({ causes: cells }) });
  if (placement.kind !== "joins-queued") throw new Error(placement.kind);
  expect(placement.job.causes).toHaveLength(100);
  expect(placement.job.causes[0]).toEqual(command(1));
});

test("a job of the default branch learns of the pull request that shows up for it", () => {
  const branch = (pullRequest: number | null) => ({ kind: "branch", branch: "feature", pullRequest }) as const;
  const placement = place(fixJob({ subject: branch(5) }), { ...nothing, queued: fixJob({ subject: branch(null) }) });
  expect(placement).toMatchObject({ job: { subject: branch(5) } });
});
