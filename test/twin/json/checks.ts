import type { Annotation, CheckRun, CheckSuite, CommitStatus } from "../world/check.ts";
import type { Repository } from "../world/repository.ts";
import type { World } from "../world/world.ts";
import { integrationJson, type Json, userJson } from "./accounts.ts";
import { simpleCommitJson } from "./git.ts";
import { nodeId } from "./node-id.ts";
import { minimalPullJson } from "./pulls.ts";
import { minimalRepositoryJson, repositoryPage, repositoryUrl } from "./repositories.ts";

/**
 * The open pull requests of a check: those with this head commit in the same repository. For commits of forks the list
 * is empty, as on GitHub.
 */
export function pullsOfCheck(world: World, repository: Repository, sha: string): Json[] {
  const pulls = world.pulls.withHeadIn(repository);
  const open = pulls.filter(
    (issue) => issue.state === "open" && issue.pull.head.sha === sha && issue.repository === repository,
  );
  return open.map((issue) => minimalPullJson(world, issue));
}

/** `check-run`. */
export function checkRunJson(world: World, checkRun: CheckRun): Json {
  const { suite } = checkRun;
  const { repository } = suite;
  const url = `${repositoryUrl(world, repository)}/check-runs/${checkRun.id}`;
  const page = `${repositoryPage(world, repository)}/runs/${checkRun.id}`;
  const fromActions = suite.app.slug === "github-actions";
  return {
    id: checkRun.id,
    name: checkRun.name,
    node_id: nodeId("CR", checkRun.id),
    head_sha: suite.headSha,
    external_id: checkRun.externalId,
    url,
    html_url: fromActions ? (checkRun.detailsUrl ?? page) : page,
    details_url: checkRun.detailsUrl ?? page,
    status: checkRun.status,
    conclusion: checkRun.conclusion,
    started_at: checkRun.startedAt,
    completed_at: checkRun.completedAt,
    output: {
      ...checkRun.output,
      annotations_count: checkRun.annotations.length,
      annotations_url: `${url}/annotations`,
    },
    check_suite: { id: suite.id },
    app: integrationJson(world, suite.app),
    pull_requests: pullsOfCheck(world, repository, suite.headSha),
  };
}

/** `check-run-with-simple-check-suite`, as webhooks show a check run. */
export function checkRunEventJson(world: World, checkRun: CheckRun): Json {
  return { ...checkRunJson(world, checkRun), check_suite: simpleSuiteJson(world, checkRun.suite) };
}

/** What all forms of a check suite share. */
function simpleSuiteJson(world: World, suite: CheckSuite): Json {
  return {
    id: suite.id,
    node_id: nodeId("CS", suite.id),
    head_branch: suite.headBranch,
    head_sha: suite.headSha,
    status: suite.status,
    conclusion: suite.conclusion,
    url: `${repositoryUrl(world, suite.repository)}/check-suites/${suite.id}`,
    before: suite.headCommit.parents[0] ?? "0".repeat(40),
    after: suite.headSha,
    pull_requests: pullsOfCheck(world, suite.repository, suite.headSha),
    app: integrationJson(world, suite.app),
    created_at: suite.createdAt,
    updated_at: suite.updatedAt,
  };
}

/** `check-suite`; webhooks leave the repository out. */
export function suiteJson(world: World, suite: CheckSuite, withRepository = true): Json {
  return {
    ...simpleSuiteJson(world, suite),
    rerequestable: true,
    runs_rerequestable: suite.app.slug !== "github-actions",
    latest_check_runs_count: world.checks.runsOf(suite).length,
    check_runs_url: `${repositoryUrl(world, suite.repository)}/check-suites/${suite.id}/check-runs`,
    head_commit: simpleCommitJson(suite.headCommit),
    ...(withRepository ? { repository: minimalRepositoryJson(world, suite.repository) } : {}),
  };
}

/** `check-annotation`. */
export function annotationJson(world: World, checkRun: CheckRun, annotation: Annotation): Json {
  const { repository, headSha } = checkRun.suite;
  return {
    path: annotation.path,
    blob_href: `${repositoryPage(world, repository)}/blob/${headSha}/${annotation.path}`,
    start_line: annotation.startLine,
    start_column: annotation.startColumn,
    end_line: annotation.endLine,
    end_column: annotation.endColumn,
    annotation_level: annotation.level,
    title: annotation.title ?? "",
    message: annotation.message,
    raw_details: annotation.rawDetails ?? "",
  };
}

/** `status`. */
export function statusJson(world: World, repository: Repository, status: CommitStatus): Json {
  const creator = userJson(world, status.creator);
  return {
    url: `${repositoryUrl(world, repository)}/statuses/${status.sha}`,
    avatar_url: creator["avatar_url"],
    id: status.id,
    node_id: nodeId("SC", status.id),
    state: status.state,
    description: status.description,
    target_url: status.targetUrl,
    context: status.context,
    created_at: status.createdAt,
    updated_at: status.createdAt,
    creator,
  };
}
