import { type Answer, found } from "../http/answer.ts";
import type { Call, Route } from "../http/call.ts";
import { page } from "../http/pagination.ts";
import { statusJson, suiteJson } from "../json/checks.ts";
import { minimalRepositoryJson, repositoryUrl } from "../json/repositories.ts";
import { commitOf } from "./commits.ts";

/** Check suites, and the commit statuses of CIs that have no check runs. */
export const checkSuiteRoutes: readonly Route[] = [
  { on: "POST /repos/{owner}/{repo}/check-suites", needs: "checks:write", answer: createSuite },
  {
    on: "GET /repos/{owner}/{repo}/check-suites/{check_suite_id}",
    needs: "checks:read",
    answer: (call) => ({
      status: 200,
      body: suiteJson(call.world, found(call.repository.suites.get(call.number("check_suite_id")))),
    }),
  },
  { on: "GET /repos/{owner}/{repo}/commits/{ref}/check-suites", needs: "checks:read", answer: listSuites },
  { on: "GET /repos/{owner}/{repo}/commits/{ref}/status", needs: "statuses:read", answer: combinedStatus },
  { on: "GET /repos/{owner}/{repo}/commits/{ref}/statuses", needs: "statuses:read", answer: listStatuses },
];

async function createSuite(call: Call): Promise<Answer> {
  const { world, repository } = call;
  const sha = await commitOf(call, call.input<"checks", "createSuite">().head_sha);
  const known = [...repository.suites.values()].some((suite) => suite.app.id === world.app.id && suite.headSha === sha);
  const suite = await world.checks.suiteOf(repository, world.app, sha);
  return { status: known ? 200 : 201, body: suiteJson(world, suite) };
}

async function listSuites(call: Call): Promise<Answer> {
  const sha = await commitOf(call, call.parameter("ref"));
  const appId = call.query["app_id"];
  const suites = [...call.repository.suites.values()].filter(
    (suite) => suite.headSha === sha && (appId === undefined || suite.app.id === appId),
  );
  return page(
    call,
    suites,
    (suite) => suiteJson(call.world, suite),
    (rendered, total) => ({ total_count: total, check_suites: rendered }),
  );
}

async function combinedStatus(call: Call): Promise<Answer> {
  const { world, repository } = call;
  const sha = await commitOf(call, call.parameter("ref"));
  const ofCommit = repository.statuses.filter((status) => status.sha === sha);
  // The newest status of a context is the one that counts.
  const latest = ofCommit.filter(
    (status, index) => ofCommit.findIndex(({ context }) => context === status.context) === index,
  );
  const bad = latest.some(({ state }) => state === "failure" || state === "error");
  const pending = latest.length === 0 || latest.some(({ state }) => state === "pending");
  const url = `${repositoryUrl(world, repository)}/commits/${sha}`;
  return {
    status: 200,
    body: {
      state: bad ? "failure" : pending ? "pending" : "success",
      statuses: latest.map((status) => ({ ...statusJson(world, repository, status), creator: undefined })),
      sha,
      total_count: latest.length,
      repository: minimalRepositoryJson(world, repository),
      commit_url: url,
      url: `${url}/status`,
    },
  };
}

async function listStatuses(call: Call): Promise<Answer> {
  const sha = await commitOf(call, call.parameter("ref"));
  const statuses = call.repository.statuses.filter((status) => status.sha === sha);
  return page(call, statuses, (status) => statusJson(call.world, call.repository, status));
}
