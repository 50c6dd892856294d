import type { GitHub } from "../github/octokit.ts";
import { named, type Repository } from "../github/repository.ts";
import { cleanLog } from "./clean-log.ts";
import type { Evidence, FailedCheck } from "./evidence.ts";
import { defaultLogWaitsMs, fetchJobLog } from "./job-log.ts";
import { missingSecret } from "./missing-secret.ts";
import { runBlockOf, type StepWindow } from "./run-block.ts";

export interface GatherOptions {
  readonly github: GitHub;
  readonly repository: Repository;
  readonly sha: string;
  /** Numeric id of this App: its own checks are no evidence. */
  readonly appId: number;
  readonly apiUrl: string;
  readonly logWaitsMs?: readonly number[];
}

/** What a check ends as that somebody can repair. */
export const failingConclusions: ReadonlySet<string> = new Set(["failure", "timed_out"]);

type CheckRun = Awaited<ReturnType<GitHub["rest"]["checks"]["listForRef"]>>["data"]["check_runs"][number];
type Job = Awaited<ReturnType<GitHub["rest"]["actions"]["getJobForWorkflowRun"]>>["data"];

/** Reads every failing check of a commit, the latest attempt of each. */
export async function gatherEvidence(options: GatherOptions, signal: AbortSignal): Promise<Evidence> {
  const { github, repository, sha, appId } = options;
  const runs = await github.paginate(github.rest.checks.listForRef, {
    ...named(repository),
    ref: sha,
    filter: "latest",
    per_page: 100,
    request: { signal },
  });
  const red = runs.filter((run) => failingConclusions.has(run.conclusion ?? "") && run.app?.id !== appId);
  const checks: FailedCheck[] = [];
  // One after another: each may wait for its log, and GitHub asks for few requests at once.
  for (const run of red) checks.push(await readCheck(options, run, signal));
  return { checks };
}

async function readCheck(options: GatherOptions, run: CheckRun, signal: AbortSignal): Promise<FailedCheck> {
  const bare = {
    name: run.name,
    url: ownUrl(run.details_url ?? run.html_url, options.repository),
    command: null,
    env: {},
    needs: null,
  };
  const job = await findJob(options, run, signal);
  if (job === null) return { ...bare, gap: "the check is not a job of GitHub Actions, so there is no log to read" };
  const needs = foreignSystem(job.labels);
  if (needs !== null) return { ...bare, needs, gap: null };
  const { github, repository, apiUrl, logWaitsMs = defaultLogWaitsMs } = options;
  const log = await fetchJobLog({ github, repository, jobId: job.id, apiUrl, waitsMs: logWaitsMs }, signal);
  if (log.kind === "missing") return { ...bare, gap: log.reason };
  const step = failedStep(job);
  if (step === null) return { ...bare, gap: "no step of the job is marked as failed" };
  const lines = cleanLog(log.text);
  const secret = missingSecret(lines, step.window);
  if (secret !== null) return { ...bare, needs: secret, gap: null };
  const block = runBlockOf(lines, step.window);
  if (block === null) return { ...bare, gap: `the log does not show the command of step ${step.name}` };
  if (!isPosixShell(block.shell)) return { ...bare, gap: `step ${step.name} is not written for a POSIX shell` };
  return { ...bare, command: block.command, env: block.env, gap: null };
}

/** A check run of Actions has its job's id; those that a step makes with the workflow's token have not, and the address may tell. */
async function findJob(options: GatherOptions, run: CheckRun, signal: AbortSignal): Promise<Job | null> {
  if (run.app?.slug !== "github-actions") return null;
  const fromUrl = Number(/\/job\/(\d+)/.exec(run.details_url ?? "")?.[1] ?? Number.NaN);
  for (const id of new Set([run.id, fromUrl])) {
    if (!Number.isSafeInteger(id)) continue;
    try {
      const { data } = await options.github.rest.actions.getJobForWorkflowRun({
        ...named(options.repository),
        job_id: id,
        request: { signal },
      });
      return data;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Error && "status" in error && error.status === 404)) throw error;
    }
  }
  return null;
}

/** A job that ran into its time limit has no failed step: the one that ran then is marked as cancelled. */
function failedStep({ steps = [] }: Job): { readonly name: string; readonly window: StepWindow } | null {
  const step =
    steps.find((each) => each.conclusion === "failure") ?? steps.findLast((each) => each.conclusion === "cancelled");
  if (step?.started_at == null || step.completed_at == null) return null;
  // The first step sets the job up and prints no block of its own.
  const earlier = steps.filter(
    ({ number, conclusion }) => number > 1 && number < step.number && conclusion !== "skipped",
  );
  const before = earlier.filter((each) => each.started_at === step.started_at).length;
  const window = { startedAt: Date.parse(step.started_at), completedAt: Date.parse(step.completed_at), before };
  return { name: step.name, window };
}

function isPosixShell(shell: string | null): boolean {
  return shell === null || /(^|\/)(ba|da)?sh\b/.test(shell);
}

function foreignSystem(labels: readonly string[]): string | null {
  const label = labels.find((each) => /^(windows|macos)\b/i.test(each));
  return label === undefined ? null : `it runs on ${label}, and sandboxes are Linux containers`;
}

/** Links of checks are set by whoever made the check; only those of the same server are passed on. */
function ownUrl(url: string | null, repository: Repository): string | null {
  const parsed = url === null ? null : URL.parse(url);
  return parsed !== null && parsed.origin === new URL(repository.webUrl).origin ? parsed.href : null;
}
