import type { Account } from "./account.ts";
import type { Annotation, CheckConclusion, CheckStatus } from "./check.ts";
import { jobLog, type NewStep, type SecretSource, stepName } from "./job-log.ts";
import { fullName, type Repository } from "./repository.ts";
import type { Job, Step, Workflow, WorkflowRun } from "./workflow.ts";
import type { World } from "./world.ts";

const STEP_MS = 1000;

/** A job of a run, as a test describes it. */
export interface NewJob {
  readonly name: string;
  /** Without `Set up job` and the post steps, which are added. */
  readonly steps: readonly NewStep[];
  /** By default what the steps' exit codes say; null leaves the job running, for `completeJob`. */
  readonly conclusion?: CheckConclusion | null;
  /** In place of the log that the steps make. */
  readonly log?: string | Buffer;
  readonly runsOn?: string;
  /** Whose secrets it has; the repository's by default. */
  readonly secretSource?: SecretSource;
  /** Besides the `.github` one that GitHub itself adds when a step fails. */
  readonly annotations?: readonly Annotation[];
}

/** A run of a workflow, as a test describes it. */
export interface NewWorkflowRun {
  /** The commit; by default the tip of `branch`. */
  readonly headSha?: string;
  readonly branch: string;
  /** The fork that the branch is in, when it is one. */
  readonly from?: Repository;
  /** `CI`, `.github/workflows/ci.yml` and `pull_request` by default. */
  readonly name?: string;
  readonly path?: string;
  readonly event?: string;
  readonly actor?: Account;
  readonly attempt?: number;
  readonly jobs: readonly NewJob[];
}

/** Runs of GitHub Actions. */
export class Workflows {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** Makes a run with its jobs, check runs and logs. */
  async run(repository: Repository, options: NewWorkflowRun): Promise<WorkflowRun> {
    const { clock, checks, repositories, accounts } = this.#world;
    const from = options.from ?? repository;
    const headSha = options.headSha ?? (await repositories.branches.resolve(from, `refs/heads/${options.branch}`));
    if (headSha === undefined) throw new Error(`no branch ${options.branch} in ${fullName(from)}`);
    // GitHub knows the branch of a fork's commit, and does not tell it to checks.
    const branch = from.id === repository.id ? options.branch : null;
    const suite = await checks.suiteOf(repository, accounts.githubActions, headSha, branch);
    const run: WorkflowRun = {
      id: this.#world.nextId(),
      repository,
      headRepository: from,
      suite,
      headSha,
      workflow: this.#workflow(repository, options.name ?? "CI", options.path ?? ".github/workflows/ci.yml"),
      event: options.event ?? "pull_request",
      headBranch: options.branch,
      number: repository.workflowRuns.size + 1,
      attempt: options.attempt ?? 1,
      actor: options.actor ?? from.owner,
      title: suite.headCommit.message.split("\n")[0] ?? "",
      createdAt: clock.iso(),
      jobs: [],
    };
    repository.workflowRuns.set(run.id, run);
    // All check runs exist before the first one ends, or each job would complete the suite.
    for (const job of options.jobs) this.#addJob(run, job);
    for (const [index, job] of options.jobs.entries()) {
      const made = run.jobs[index];
      if (made !== undefined && job.conclusion !== null) this.completeJob(run, made, job);
    }
    return run;
  }

  /** Ends a job that was left running, as `job` says. */
  completeJob(run: WorkflowRun, made: Job, job: NewJob): void {
    const failed = job.steps.some((step) => (step.exitCode ?? 0) !== 0);
    const startedAt = Date.parse(made.checkRun.startedAt);
    const logged = job.steps.map((step, index) => ({ step, startedAt: startedAt + (index + 1) * STEP_MS }));
    const ran = logged.slice(0, failed ? job.steps.findIndex((step) => (step.exitCode ?? 0) !== 0) + 1 : undefined);
    made.log = job.log === undefined ? jobLog(job, startedAt, ran) : Buffer.from(job.log);
    made.steps = this.#steps(job, ran.length, startedAt);
    const exitCode = ran.at(-1)?.step.exitCode ?? 0;
    const own = exitCode === 0 ? [] : [exitAnnotation(exitCode)];
    const conclusion = job.conclusion ?? (failed ? "failure" : "success");
    this.#world.checks.update(made.checkRun, { conclusion, annotations: [...(job.annotations ?? []), ...own] });
    const sender = run.actor;
    this.#world.happened({ event: "workflow_job", action: "completed", run, job: made, sender });
    if (run.suite.status === "completed")
      this.#world.happened({ event: "workflow_run", action: "completed", run, sender });
  }

  /** The run and job of a job's id. */
  findJob(repository: Repository, id: number): { run: WorkflowRun; job: Job } | undefined {
    for (const run of repository.workflowRuns.values()) {
      const job = run.jobs.find(({ checkRun }) => checkRun.id === id);
      if (job !== undefined) return { run, job };
    }
    return undefined;
  }

  #addJob(run: WorkflowRun, job: NewJob): void {
    const status: CheckStatus = "in_progress";
    const id = this.#world.nextId();
    const detailsUrl = `${this.#world.addresses.web}/${fullName(run.repository)}/actions/runs/${run.id}/job/${id}`;
    const externalId = crypto.randomUUID();
    // The job began so long ago that its steps lie in the past.
    const startedAt = this.#world.clock.iso(this.#world.clock.now() - (job.steps.length + 2) * STEP_MS);
    const change = { status, externalId, detailsUrl, startedAt };
    const checkRun = this.#world.checks.createIn(run.suite, { id, name: job.name, ...change });
    run.jobs.push({
      checkRun,
      labels: [job.runsOn ?? "ubuntu-latest"],
      runnerName: "GitHub Actions 2",
      steps: [],
      log: null,
    });
  }

  #workflow(repository: Repository, name: string, path: string): Workflow {
    const known = [...repository.workflows.values()].find((workflow) => workflow.path === path);
    if (known !== undefined) return known;
    const workflow = { id: this.#world.nextId(), name, path, createdAt: this.#world.clock.iso() };
    repository.workflows.set(workflow.id, workflow);
    return workflow;
  }

  #steps(job: NewJob, ran: number, startedAt: number): Step[] {
    const clock = this.#world.clock;
    const names = ["Set up job", ...job.steps.map(stepName), ...postSteps(job), "Complete job"];
    return names.map((name, index) => {
      const skipped = index > ran && index <= job.steps.length;
      const exitCode = job.steps[index - 1]?.exitCode ?? 0;
      const conclusion = skipped ? "skipped" : exitCode === 0 ? "success" : "failure";
      const at = clock.iso(startedAt + index * STEP_MS);
      return { number: index + 1, name, status: "completed", conclusion, startedAt: at, completedAt: at };
    });
  }
}

/** Actions clean up in the opposite order, each in a step of its own. */
function postSteps(job: NewJob): string[] {
  return job.steps
    .filter((step) => step.uses !== undefined)
    .map((step) => `Post ${stepName(step)}`)
    .reverse();
}

/** The annotation that GitHub itself makes of every failed step; its path is the folder of the workflow. */
function exitAnnotation(exitCode: number): Annotation {
  const message = `Process completed with exit code ${exitCode}.`;
  const place = { path: ".github", startLine: 1, endLine: 1, startColumn: null, endColumn: null };
  return { ...place, level: "failure", message, title: null, rawDetails: null };
}
