import { expect, test } from "vitest";
import { rateLimitedUntil } from "../../src/github/rate-limit.ts";
import { primaryRateLimit, secondaryRateLimit } from "../twin/http/faults.ts";
import { githubScene } from "./github-scene.ts";

const hour = 3_600;

test.each([
  [{ status: 403, response: { headers: { "retry-after": "90" } } }, 90],
  [{ status: 429, response: { headers: {} } }, 60],
  [{ status: 403, response: { headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1000" } } }, 1_000],
  [{ status: 403, response: { headers: { "x-ratelimit-remaining": "7" } } }, null],
  [{ status: 500, response: { headers: { "retry-after": "90" } } }, null],
  [{ status: 403, message: "You have exceeded a secondary rate limit.", response: { headers: {} } }, 60],
  [{ status: 403, message: "Resource not accessible by integration", response: { headers: {} } }, null],
  [{ errors: [{ type: "RATE_LIMITED" }], headers: { "x-ratelimit-remaining": 0, "x-ratelimit-reset": 500 } }, 500],
  [{ errors: [{ type: "STALE_DATA" }], headers: { "x-ratelimit-remaining": 0 } }, null],
  [{ status: 429, response: { headers: { "retry-after": "999999999" } } }, 2 * hour],
  [{ status: 403, response: { headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "9e99" } } }, 2 * hour],
  [{ status: 403, response: { headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "soon" } } }, 60],
  [{ status: 429, response: { headers: { "retry-after": "-5" } } }, 60],
  [new Error("no answer"), null],
])("%j is waited out until second %s", (error, seconds) => {
  expect(rateLimitedUntil(error, new Date(0))).toEqual(seconds === null ? null : new Date(seconds * 1_000));
});

const inAnHour = () => Math.floor(Date.now() / 1000) + hour;

test.each([
  ["secondary, 403", () => secondaryRateLimit(1), 60],
  ["secondary, 429", () => secondaryRateLimit(1, 429), 60],
  ["primary, 403", () => primaryRateLimit(inAnHour()), hour],
  ["primary, 429", () => ({ ...primaryRateLimit(inAnHour()), status: 429 }), hour],
])("a %s limit is one request, and is known for what it is", async (_, fault, seconds) => {
  await using scene = await githubScene();
  const { twin, repository } = scene;
  const github = await scene.client("talk");
  const before = twin.requests.length;
  twin.fault({ ...fault(), count: 100 });
  const start = Date.now();
  const { owner, name: repo } = repository;
  const error: unknown = await github.rest.checks.create({ owner, repo, name: "x", head_sha: "main" }).catch((e) => e);
  const until = rateLimitedUntil(error, new Date(start))?.getTime() ?? 0;
  expect(Math.abs(until - start - seconds * 1000)).toBeLessThan(10_000);
  expect(twin.requests.length - before).toBe(1);
  expect(Date.now() - start).toBeLessThan(5_000);
});
