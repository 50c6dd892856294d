import { expect, test } from "vitest";
import { appClient, at, clientFor, plainClient } from "./client.ts";
import { primaryRateLimit, secondaryRateLimit } from "./http/faults.ts";
import { Journal } from "./http/journal.ts";
import { LogStorage } from "./http/log-storage.ts";
import { operation } from "./openapi/description.ts";
import { allRoutes } from "./rest/all-routes.ts";
import { startTwin } from "./twin.ts";
import { Webhooks } from "./webhooks/webhooks.ts";
import { World } from "./world/world.ts";

test("every operation of the twin is one that GitHub describes", () => {
  const world = new World({ appId: 1, appSlug: "autolith", publicKey: "", directory: "" });
  const journal = new Journal();
  const routes = allRoutes(new Webhooks(world, journal, "s", false), new LogStorage(world, journal));
  expect(routes.map(({ on }) => on).filter((on) => operation(on) === undefined)).toEqual([]);
  expect(new Set(routes.map(({ on }) => on)).size).toBe(routes.length);
});

test("what the twin does not know is refused and a surprise", async () => {
  await using twin = await startTwin();
  const repository = await twin.repositories.add({ owner: "acme", name: "shop" });
  const octokit = await clientFor(twin, repository);
  await expect(octokit.rest.repos.listTags(at(repository))).rejects.toMatchObject({ status: 404 });
  await octokit.rest.repos.getCommit({ ...at(repository), ref: "main", mediaType: { format: "diff" } });
  const headers = { "x-github-api-version": "2020-01-01" };
  await expect(octokit.rest.repos.get({ ...at(repository), headers })).rejects.toMatchObject({ status: 400 });
  expect(twin.surprises).toEqual([
    "GET /repos/acme/shop/tags is no operation of the twin",
    "GET /repos/{owner}/{repo}/commits/{ref} is not served as diff",
    "the twin does not speak version 2020-01-01 of the API",
  ]);
});

test("a request that GitHub's description does not allow is a violation, answered 422 when GitHub would", async () => {
  await using twin = await startTwin();
  const repository = await twin.repositories.add({ owner: "acme", name: "shop" });
  const octokit = await clientFor(twin, repository);
  const route = "POST /repos/{owner}/{repo}/check-runs";
  await expect(octokit.request(route, { ...at(repository), head_sha: "main", name: 1 as never })).rejects.toMatchObject(
    { status: 422 },
  );
  const extra = { output: { title: "t", summary: "s", sumary: "s" } };
  expect((await octokit.request(route, { ...at(repository), head_sha: "main", name: "x", ...extra })).status).toBe(201);
  await octokit.request("GET /repos/{owner}/{repo}/branches", { ...at(repository), pp: 1 });
  await expect(octokit.rest.pulls.list({ ...at(repository), state: "opn" as never })).rejects.toMatchObject({
    status: 422,
  });
  expect(twin.violations).toEqual([
    `${route}: body/name must be string`,
    `${route}: body/output/sumary is not described`,
    "GET /repos/{owner}/{repo}/branches: query/pp is not described",
    "GET /repos/{owner}/{repo}/pulls: query/state/value must be equal to one of the allowed values",
  ]);
});

test("every request is recorded with what it needed and what its token could do", async () => {
  await using twin = await startTwin();
  const repository = await twin.repositories.add({ owner: "acme", name: "shop" });
  const octokit = await clientFor(twin, repository, { checks: "write" });
  await octokit.rest.checks.create({ ...at(repository), name: "x", head_sha: "main" });
  expect(twin.requests.at(-1)).toMatchObject({
    method: "POST",
    path: "/repos/acme/shop/check-runs",
    route: "POST /repos/{owner}/{repo}/check-runs",
    identity: "installation",
    needed: ["checks:write"],
    permissions: { checks: "write", metadata: "read" },
    status: 201,
    body: { name: "x", head_sha: "main" },
  });
});

test("faults answer in place of the twin, or after it did what was asked", async () => {
  await using twin = await startTwin();
  const repository = await twin.repositories.add({ owner: "acme", name: "shop" });
  const issue = twin.issues.open(repository, { title: "x", author: twin.accounts.addUser("ada") });
  const octokit = await clientFor(twin, repository);
  const say = () => octokit.rest.issues.createComment({ ...at(repository), issue_number: issue.number, body: "x" });
  twin.fault({ method: "POST", path: /\/comments$/, status: 502 });
  await expect(say()).rejects.toMatchObject({ status: 502 });
  expect(issue.comments).toHaveLength(0);
  twin.fault({ path: "/repos/{owner}/{repo}/issues/{issue_number}/comments", status: 502, after: true });
  await expect(say()).rejects.toMatchObject({ status: 502 });
  expect(issue.comments).toHaveLength(1);
  twin.fault({ ...secondaryRateLimit(60, 429), count: 2 });
  await expect(say()).rejects.toMatchObject({ status: 429, response: { headers: { "retry-after": "60" } } });
  await expect(say()).rejects.toMatchObject({ status: 429 });
  twin.fault(primaryRateLimit(1234));
  await expect(say()).rejects.toMatchObject({
    status: 403,
    response: { headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1234" } },
  });
  twin.fault({ drop: true });
  await expect(say()).rejects.toThrow();
  const end = twin.fault({ status: 500, count: 9 });
  end();
  expect((await say()).status).toBe(201);
  expect(twin.journal.problems()).toEqual([]);
});

test("rate limits and etags are told", async () => {
  await using twin = await startTwin({ checkAnswers: true });
  const repository = await twin.repositories.add({ owner: "acme", name: "shop" });
  const octokit = await clientFor(twin, repository);
  const first = await octokit.rest.repos.get(at(repository));
  expect(first.headers["x-ratelimit-remaining"]).toBe("4999");
  const again = octokit.rest.repos.get({ ...at(repository), headers: { "if-none-match": first.headers.etag } });
  await expect(again).rejects.toMatchObject({ status: 304 });
  expect((await octokit.rest.rateLimit.get()).data.resources.core).toMatchObject({ limit: 5000, used: 2 });
  expect(twin.journal.problems()).toEqual([]);
});

test("an Enterprise Server has its API under its own prefixes, and nothing outside of them", async () => {
  await using twin = await startTwin({ enterprise: true, checkAnswers: true });
  await twin.warmUp();
  expect(twin.apiUrl).toBe(`${twin.url}/api/v3`);
  const repository = await twin.repositories.add({ owner: "acme", name: "shop", files: { a: "a" } });
  const octokit = await clientFor(twin, repository);
  expect((await octokit.rest.repos.get(at(repository))).data.url).toBe(`${twin.apiUrl}/repos/acme/shop`);
  const { repository: found } = await octokit.graphql<{ repository: object }>(
    '{ repository(owner: "acme", name: "shop") { name } }',
  );
  expect(found).toEqual({ name: "shop" });
  expect((await appClient(twin).rest.apps.getAuthenticated()).data?.id).toBe(twin.app.id);
  const branches = await octokit.rest.repos.listBranches({ ...at(repository), per_page: 1 });
  expect(branches.status).toBe(200);
  expect(twin.journal.problems()).toEqual([]);
  await expect(
    plainClient(twin).request({ method: "GET", url: "/repos/acme/shop", baseUrl: twin.url }),
  ).rejects.toMatchObject({ status: 404 });
  expect(twin.surprises).toEqual(["GET /repos/acme/shop is outside of /api/v3"]);
});
