import { expect, test } from "vitest";
import { jobSchema, keyOf } from "../../src/job/job.ts";
import { command, fixJob } from "./fix-job.ts";

test("branches, forks and issues with look-alike names have different keys", () => {
  const keys = [
    keyOf(1, { kind: "branch", branch: "pull/5/head", pullRequest: 5 }),
    keyOf(1, { kind: "fork", pullRequest: 5 }),
    keyOf(1, { kind: "issue", issue: 5 }),
    keyOf(1, { kind: "branch", branch: "issues/5", pullRequest: null }),
    keyOf(2, { kind: "issue", issue: 5 }),
  ];
  expect(new Set(keys).size).toBe(keys.length);
});

test("the key of a branch is the same with and without its pull request", () => {
  const key = (pullRequest: number | null) => keyOf(1, { kind: "branch", branch: "feature", pullRequest });
  expect(key(5)).toBe(key(null));
});

test("a job survives being written down", () => {
  const job = fixJob({ causes: [command(1, "2026-05-01T12:10:00Z", "use \u{1f642} half-even")] });
  expect(jobSchema.parse(JSON.parse(JSON.stringify(job)))).toEqual(job);
});

test("what is written down holds no token", () => {
  expect(jobSchema.safeParse({ ...fixJob(), token: "ghs_secret" }).data).not.toHaveProperty("token");
});

test("a job without a cause is none", () => {
  expect(jobSchema.safeParse({ ...fixJob(), causes: [] }).success).toBe(false);
});
