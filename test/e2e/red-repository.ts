import { setTimeout as delay } from "node:timers/promises";
import type { Twin } from "../twin/twin.ts";
import type { Account } from "../twin/world/account.ts";
import type { CheckRun } from "../twin/world/check.ts";
import type { PullIssue } from "../twin/world/issue.ts";
import type { NewStep } from "../twin/world/job-log.ts";
import type { Repository } from "../twin/world/repository.ts";
import { greenPython, type ProjectFiles, pythonProject } from "./projects.ts";

/** A repository with a green default branch, and a pull request that breaks it. */
export interface RedRepository {
  readonly repository: Repository;
  readonly pull: PullIssue;
  /** Head of the pull request. */
  readonly sha: string;
  /** May write. */
  readonly ada: Account;
}

export interface RedOptions {
  /** Files of the pull request's branch. */
  readonly files?: ProjectFiles;
  /** Files of the default branch. */
  readonly base?: ProjectFiles;
  /** Opens the pull request from a fork of this user. */
  readonly fork?: string;
}

let made = 0;

/** Makes such a repository in an organisation of its own; its checks have not run yet. */
export async function redRepository(twin: Twin, options: RedOptions = {}): Promise<RedRepository> {
  made += 1;
  const { files = pythonProject.files, base = greenPython } = options;
  const repository = await twin.repositories.add({ owner: `acme-${made}`, name: "words", files: base });
  const ada = twin.accounts.addUser(`ada-${made}`);
  twin.repositories.permit(repository, ada, "write");
  const from = options.fork === undefined ? repository : await twin.repositories.fork(repository, options.fork);
  const author = options.fork === undefined ? ada : twin.accounts.ensure(options.fork);
  const sha = await twin.repositories.commit(from, { branch: "topic", files, author, message: "Count words" });
  const pull = await twin.pulls.open(repository, { head: "topic", from, author, title: "Count words" });
  return { repository, pull, sha, ada };
}

const failedStep: NewStep = { run: pythonProject.command, output: "2 failed", exitCode: 1 };

/** Runs GitHub Actions on a branch: the tests are red. */
export async function turnRed(
  twin: Twin,
  repository: Repository,
  branch: string,
  options: { readonly step?: NewStep; readonly from?: Repository; readonly runsOn?: string } = {},
): Promise<void> {
  const { step = failedStep, from, runsOn } = options;
  const steps = [{ uses: "actions/checkout@v4" }, { run: "pip install pytest" }, step];
  const job = { name: "test", steps, ...(runsOn && { runsOn }) };
  await twin.workflows.run(repository, { branch, ...(from && { from }), jobs: [job] });
}

/** Autolith's check runs on a commit. */
export function ownChecks(twin: Twin, repository: Repository, sha: string): CheckRun[] {
  return [...repository.checkRuns.values()].filter(
    ({ suite }) => suite.app.id === twin.app.id && suite.headSha === sha,
  );
}

/** Waits for Autolith's check run on a commit to be completed, and for the comment that follows it. */
export async function concluded(
  twin: Twin,
  { repository, pull, sha }: RedRepository | DefaultBranch,
  withinMs?: number,
): Promise<CheckRun> {
  const completed = () => ownChecks(twin, repository, sha).find(({ status }) => status === "completed");
  const check = await eventually("a completed check run of Autolith", completed, withinMs);
  if (pull !== undefined) {
    const title = check.output.title ?? "";
    await eventually(`a comment that says ${title}`, () => pull.comments.find(({ body }) => body.includes(title)));
  }
  return check;
}

/** The default branch, where Autolith writes no comment. */
export interface DefaultBranch {
  readonly repository: Repository;
  readonly pull?: undefined;
  readonly sha: string;
}

/** Waits until something is there. */
export async function eventually<T>(what: string, look: () => T | undefined, withinMs = 90_000): Promise<T> {
  const end = performance.now() + withinMs;
  for (;;) {
    const found = look();
    if (found !== undefined) return found;
    if (performance.now() > end) throw new Error(`there was never ${what}`);
    await delay(50);
  }
}
