import { type Answer, ApiError, found } from "../http/answer.ts";
import type { Call, Route } from "../http/call.ts";
import type { LogStorage } from "../http/log-storage.ts";
import { page } from "../http/pagination.ts";
import { jobJson, workflowJson, workflowRunJson } from "../json/workflows.ts";
import type { Job, Workflow, WorkflowRun } from "../world/workflow.ts";

/** GitHub Actions: workflows, runs, jobs and their logs. */
export function actionRoutes(storage: LogStorage): readonly Route[] {
  return [
    { on: "GET /repos/{owner}/{repo}/actions/jobs/{job_id}", needs: "actions:read", answer: getJob },
    {
      on: "GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs",
      needs: "actions:read",
      answer: (call) => getLog(call, storage),
    },
    { on: "GET /repos/{owner}/{repo}/actions/runs", needs: "actions:read", answer: listRuns },
    { on: "GET /repos/{owner}/{repo}/actions/runs/{run_id}", needs: "actions:read", answer: getRun },
    { on: "GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs", needs: "actions:read", answer: listJobs },
    {
      on: "GET /repos/{owner}/{repo}/actions/runs/{run_id}/attempts/{attempt_number}/jobs",
      needs: "actions:read",
      answer: (call) => {
        found(runOf(call).attempt === call.number("attempt_number") || undefined);
        return listJobs(call);
      },
    },
    { on: "GET /repos/{owner}/{repo}/actions/workflows", needs: "actions:read", answer: listWorkflows },
    { on: "GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}", needs: "actions:read", answer: getWorkflow },
  ];
}

function jobOf(call: Call): { run: WorkflowRun; job: Job } {
  return found(call.world.workflows.findJob(call.repository, call.number("job_id")));
}

function runOf(call: Call): WorkflowRun {
  return found(call.repository.workflowRuns.get(call.number("run_id")));
}

function getJob(call: Call): Answer {
  const { run, job } = jobOf(call);
  return { status: 200, body: jobJson(call.world, run, job) };
}

/** A job's log is elsewhere, under an address that is good for one minute; a running job has none yet. */
function getLog(call: Call, storage: LogStorage): Answer {
  const { job } = jobOf(call);
  if (job.checkRun.status !== "completed") throw new ApiError(404, "Not Found");
  if (job.log === null) throw new ApiError(410, "Server Error");
  return { status: 302, headers: { location: storage.addressOf(job) } };
}

function listRuns(call: Call): Answer {
  const { branch, event, status, head_sha: sha, check_suite_id: suiteId } = call.query;
  const runs = [...call.repository.workflowRuns.values()].filter(
    (run) =>
      (branch ?? run.headBranch) === run.headBranch &&
      (event ?? run.event) === run.event &&
      (sha ?? run.headSha) === run.headSha &&
      (suiteId ?? run.suite.id) === run.suite.id &&
      (status === undefined || status === run.suite.status || status === run.suite.conclusion),
  );
  return page(
    call,
    runs.reverse(),
    (run) => workflowRunJson(call.world, run),
    (rendered, total) => ({ total_count: total, workflow_runs: rendered }),
  );
}

function getRun(call: Call): Answer {
  return { status: 200, body: workflowRunJson(call.world, runOf(call)) };
}

function listJobs(call: Call): Answer {
  const run = runOf(call);
  return page(
    call,
    run.jobs,
    (job) => jobJson(call.world, run, job),
    (rendered, total) => ({ total_count: total, jobs: rendered }),
  );
}

function listWorkflows(call: Call): Answer {
  const workflows = [...call.repository.workflows.values()];
  return page(
    call,
    workflows,
    (workflow) => workflowJson(call.world, call.repository, workflow),
    (rendered, total) => ({
      total_count: total,
      workflows: rendered,
    }),
  );
}

/** By id or by file name, as GitHub takes both. */
function getWorkflow(call: Call): Answer {
  const name = call.parameter("workflow_id");
  const matches = (workflow: Workflow): boolean => String(workflow.id) === name || workflow.path.endsWith(`/${name}`);
  const workflow = found([...call.repository.workflows.values()].find(matches));
  return { status: 200, body: workflowJson(call.world, call.repository, workflow) };
}
