import type { Repository } from "../world/repository.ts";
import type { Job, Step, Workflow, WorkflowRun } from "../world/workflow.ts";
import type { World } from "../world/world.ts";
import { type Json, userJson } from "./accounts.ts";
import { pullsOfCheck } from "./checks.ts";
import { simpleCommitJson } from "./git.ts";
import { nodeId } from "./node-id.ts";
import { minimalRepositoryJson, repositoryPage, repositoryUrl } from "./repositories.ts";

/** `workflow-run`. */
export function workflowRunJson(world: World, run: WorkflowRun): Json {
  const { repository, suite, workflow } = run;
  const api = repositoryUrl(world, repository);
  const url = `${api}/actions/runs/${run.id}`;
  return {
    id: run.id,
    name: workflow.name,
    node_id: nodeId("WFR", run.id),
    head_branch: run.headBranch,
    head_sha: run.headSha,
    path: workflow.path,
    display_title: run.title,
    run_number: run.number,
    event: run.event,
    status: suite.status,
    conclusion: suite.conclusion,
    workflow_id: workflow.id,
    check_suite_id: suite.id,
    check_suite_node_id: nodeId("CS", suite.id),
    url,
    html_url: `${repositoryPage(world, repository)}/actions/runs/${run.id}`,
    pull_requests: pullsOfCheck(world, repository, run.headSha),
    created_at: run.createdAt,
    updated_at: suite.updatedAt,
    actor: userJson(world, run.actor),
    triggering_actor: userJson(world, run.actor),
    run_attempt: run.attempt,
    referenced_workflows: [],
    run_started_at: run.createdAt,
    jobs_url: `${url}/jobs`,
    logs_url: `${url}/logs`,
    check_suite_url: `${api}/check-suites/${suite.id}`,
    artifacts_url: `${url}/artifacts`,
    cancel_url: `${url}/cancel`,
    rerun_url: `${url}/rerun`,
    previous_attempt_url: run.attempt > 1 ? `${url}/attempts/${run.attempt - 1}` : null,
    workflow_url: `${api}/actions/workflows/${workflow.id}`,
    head_commit: simpleCommitJson(suite.headCommit),
    repository: minimalRepositoryJson(world, repository),
    head_repository: minimalRepositoryJson(world, run.headRepository),
  };
}

/** `job`. */
export function jobJson(world: World, run: WorkflowRun, job: Job): Json {
  const { checkRun } = job;
  const api = repositoryUrl(world, run.repository);
  return {
    id: checkRun.id,
    run_id: run.id,
    workflow_name: run.workflow.name,
    head_branch: run.headBranch,
    run_url: `${api}/actions/runs/${run.id}`,
    run_attempt: run.attempt,
    node_id: nodeId("CR", checkRun.id),
    head_sha: run.headSha,
    url: `${api}/actions/jobs/${checkRun.id}`,
    html_url: checkRun.detailsUrl,
    status: checkRun.status,
    conclusion: checkRun.conclusion,
    created_at: run.createdAt,
    started_at: checkRun.startedAt,
    completed_at: checkRun.completedAt,
    name: checkRun.name,
    steps: job.steps.map(stepJson),
    check_run_url: `${api}/check-runs/${checkRun.id}`,
    labels: job.labels,
    runner_id: 2,
    runner_name: job.runnerName,
    runner_group_id: 0,
    runner_group_name: "GitHub Actions",
  };
}

function stepJson(step: Step): Json {
  const { name, status, conclusion, number } = step;
  return { name, status, conclusion, number, started_at: step.startedAt, completed_at: step.completedAt };
}

/** `workflow`. */
export function workflowJson(world: World, repository: Repository, workflow: Workflow): Json {
  const page = repositoryPage(world, repository);
  return {
    id: workflow.id,
    node_id: nodeId("W", workflow.id),
    name: workflow.name,
    path: workflow.path,
    state: "active",
    created_at: workflow.createdAt,
    updated_at: workflow.createdAt,
    url: `${repositoryUrl(world, repository)}/actions/workflows/${workflow.id}`,
    html_url: `${page}/blob/${repository.defaultBranch}/${workflow.path}`,
    badge_url: `${page}/workflows/${encodeURIComponent(workflow.name)}/badge.svg`,
  };
}
