import { readCommit } from "../git/commits.ts";
import { listRefs } from "../git/refs.ts";
import type { Account, Integration } from "./account.ts";
import type {
  Annotation,
  CheckAction,
  CheckConclusion,
  CheckRun,
  CheckStatus,
  CheckSuite,
  CommitStatus,
} from "./check.ts";
import type { Repository } from "./repository.ts";
import { allows } from "./tokens.ts";
import type { World } from "./world.ts";

/** What can be said of a check run; what is left out stays as it is, or starts empty. */
export interface CheckRunChange {
  readonly name?: string;
  readonly status?: CheckStatus;
  readonly conclusion?: CheckConclusion | null;
  readonly externalId?: string;
  readonly detailsUrl?: string | null;
  readonly startedAt?: string;
  readonly completedAt?: string;
  readonly output?: { readonly title: string | null; readonly summary: string | null; readonly text?: string | null };
  /** Added to the ones that are there. */
  readonly annotations?: readonly Annotation[];
  readonly actions?: readonly CheckAction[];
}

/** A check run to make. */
export interface NewCheckRun extends CheckRunChange {
  /** The app that makes it: GitHub Actions, another CI, or the app under test. */
  readonly app: Integration;
  readonly name: string;
  readonly headSha: string;
  /** The branch to show; by default one whose tip the commit is. null for forks. */
  readonly headBranch?: string | null;
}

/** From bad to good: the conclusion of a suite is the worst of its runs. */
const WORST_FIRST: readonly CheckConclusion[] = [
  "failure",
  "timed_out",
  "startup_failure",
  "action_required",
  "cancelled",
  "stale",
  "success",
  "neutral",
  "skipped",
];

/** Check suites, check runs and commit statuses. */
export class Checks {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** Makes a check run, in the app's suite of that commit. */
  async create(repository: Repository, options: NewCheckRun): Promise<CheckRun> {
    const suite = await this.suiteOf(repository, options.app, options.headSha, options.headBranch);
    const { app: _, headSha: __, headBranch: ___, ...rest } = options;
    return this.createIn(suite, rest);
  }

  /** Makes a check run in a suite. */
  createIn(suite: CheckSuite, options: CheckRunChange & { readonly name: string; readonly id?: number }): CheckRun {
    const { id = this.#world.nextId(), ...change } = options;
    const checkRun: CheckRun = {
      id,
      suite,
      name: options.name,
      externalId: "",
      detailsUrl: null,
      status: "queued",
      conclusion: null,
      startedAt: this.#world.clock.iso(),
      completedAt: null,
      output: { title: null, summary: null, text: null },
      annotations: [],
      actions: [],
    };
    suite.repository.checkRuns.set(id, checkRun);
    this.#apply(checkRun, change);
    const suiteCompletes = this.#refresh(suite);
    this.#world.happened({ event: "check_run", action: "created", checkRun, sender: suite.app.bot });
    if (checkRun.status === "completed") this.#completed(checkRun, suiteCompletes);
    return checkRun;
  }

  /** Changes a check run; one that becomes completed says so, and its suite too when it was the last. */
  update(checkRun: CheckRun, change: CheckRunChange): void {
    const wasCompleted = checkRun.status === "completed";
    this.#apply(checkRun, change);
    const suiteCompletes = this.#refresh(checkRun.suite);
    if (checkRun.status === "completed" && !wasCompleted) this.#completed(checkRun, suiteCompletes);
  }

  /** A person presses "Re-run" on a check run. */
  rerequest(checkRun: CheckRun, sender: Account): void {
    this.#world.happened({ event: "check_run", action: "rerequested", checkRun, sender });
  }

  /** A person presses a button that the app put on its check run. */
  requestAction(checkRun: CheckRun, identifier: string, sender: Account): void {
    this.#world.happened({ event: "check_run", action: "requested_action", checkRun, identifier, sender });
  }

  /** The suite of an app for a commit, made when there is none. @throws Error for an unknown commit */
  async suiteOf(repository: Repository, app: Integration, sha: string, branch?: string | null): Promise<CheckSuite> {
    const known = [...repository.suites.values()].find((suite) => suite.app.id === app.id && suite.headSha === sha);
    // GitHub Actions has one suite per run of a workflow, everybody else one per commit.
    if (known !== undefined && app.slug !== "github-actions") return known;
    const headCommit = await readCommit(repository.git, sha);
    const headBranch = branch === undefined ? await this.#branchAt(repository, sha) : branch;
    const createdAt = this.#world.clock.iso();
    const id = this.#world.nextId();
    const suite: CheckSuite = {
      id,
      repository,
      app,
      headSha: sha,
      headBranch,
      headCommit,
      createdAt,
      updatedAt: createdAt,
      status: "queued",
      conclusion: null,
    };
    repository.suites.set(id, suite);
    return suite;
  }

  /** What GitHub does by itself on each push: it makes an empty suite for every app that writes checks. */
  async suiteForPush(repository: Repository, branch: string, sha: string, sender: Account): Promise<void> {
    const installation = this.#world.installationOf(repository);
    if (installation === undefined || !allows(installation.permissions, "checks:write")) return;
    const known = [...repository.suites.values()].some(
      (suite) => suite.app.id === this.#world.app.id && suite.headSha === sha,
    );
    if (known) return;
    const suite = await this.suiteOf(repository, this.#world.app, sha, branch);
    this.#world.happened({ event: "check_suite", action: "requested", suite, sender });
  }

  /** Adds a commit status, as CIs without check runs do. */
  addStatus(repository: Repository, status: Omit<CommitStatus, "id" | "createdAt">): CommitStatus {
    const added = { ...status, id: this.#world.nextId(), createdAt: this.#world.clock.iso() };
    repository.statuses.unshift(added);
    return added;
  }

  /** The runs of a suite, newest first. */
  runsOf(suite: CheckSuite): CheckRun[] {
    return [...suite.repository.checkRuns.values()].filter((run) => run.suite.id === suite.id).reverse();
  }

  /** A branch whose tip a commit is. */
  async #branchAt(repository: Repository, sha: string): Promise<string | null> {
    const tip = (await listRefs(repository.git, "refs/heads/")).find((ref) => ref.sha === sha);
    return tip?.name.slice("refs/heads/".length) ?? null;
  }

  #completed(checkRun: CheckRun, suiteCompletes: boolean): void {
    const { suite } = checkRun;
    const sender = suite.app.bot;
    this.#world.happened({ event: "check_run", action: "completed", checkRun, sender });
    if (suiteCompletes) this.#world.happened({ event: "check_suite", action: "completed", suite, sender });
  }

  #apply(checkRun: CheckRun, change: CheckRunChange): void {
    const { annotations = [], output, conclusion, ...rest } = change;
    Object.assign(checkRun, rest);
    checkRun.annotations.push(...annotations);
    if (output !== undefined) checkRun.output = { ...output, text: output.text ?? null };
    if (conclusion != null) Object.assign(checkRun, { conclusion, status: "completed" });
    if (checkRun.status !== "completed") Object.assign(checkRun, { conclusion: null, completedAt: null });
    else checkRun.completedAt ??= this.#world.clock.iso();
  }

  /** Works out the suite's state from its runs; true when all are completed. */
  #refresh(suite: CheckSuite): boolean {
    const runs = this.runsOf(suite);
    const done = runs.length > 0 && runs.every((run) => run.status === "completed");
    suite.updatedAt = this.#world.clock.iso();
    suite.status = done ? "completed" : runs.some((run) => run.status !== "queued") ? "in_progress" : "queued";
    suite.conclusion = done ? (WORST_FIRST.find((word) => runs.some((run) => run.conclusion === word)) ?? null) : null;
    return done;
  }
}
