import { readCommits } from "../git/commits.ts";
import { isAncestor, moveRef, resolveCommit, ZERO_SHA } from "../git/refs.ts";
import type { Account } from "./account.ts";
import type { Activity, Repository } from "./repository.ts";
import type { World } from "./world.ts";

const MOST_COMMITS_IN_A_PUSH = 20;

/** Branches, and all that hangs on their moving: activity, pull requests, check suites, webhooks. */
export class Branches {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** The commit that a branch, tag or SHA stands for. */
  resolve(repository: Repository, revision: string): Promise<string | undefined> {
    return resolveCommit(repository.git, revision);
  }

  /**
   * Moves a branch, creates it (from ZERO_SHA) or deletes it (to ZERO_SHA), whether or not it is a fast-forward.
   * False when the branch was not at `before` any more.
   */
  async move(
    repository: Repository,
    branch: string,
    before: string,
    after: string,
    actor: Account,
    type?: Activity["type"],
  ): Promise<boolean> {
    const ref = `refs/heads/${branch}`;
    if (!(await moveRef(repository.git, ref, before, after))) return false;
    const forced = before !== ZERO_SHA && after !== ZERO_SHA && !(await isAncestor(repository.git, before, after));
    const at = this.#world.clock.iso();
    repository.pushedAt = at;
    const kind = type ?? kindOf(before, after, forced);
    repository.activity.unshift({ id: this.#world.nextId(), type: kind, ref, before, after, actor, at });
    const commits = await this.#commits(repository, before, after);
    this.#world.happened({ event: "push", push: { repository, ref, before, after, forced, commits }, sender: actor });
    if (after !== ZERO_SHA) await this.#world.checks.suiteForPush(repository, branch, after, actor);
    await this.#world.pulls.branchMoved(repository, branch, before, after, actor);
    return true;
  }

  /** Points a branch at another commit, as `git push --force` does. */
  async force(repository: Repository, branch: string, to: string, actor: Account = repository.owner): Promise<string> {
    const before = (await this.resolve(repository, `refs/heads/${branch}`)) ?? ZERO_SHA;
    const after = await this.resolve(repository, to);
    if (after === undefined) throw new Error(`${to} is no commit of ${repository.name}`);
    await this.move(repository, branch, before, after, actor);
    return after;
  }

  /** Deletes a branch; open pull requests from it are closed by that. */
  async delete(repository: Repository, branch: string, actor: Account = repository.owner): Promise<void> {
    const before = await this.resolve(repository, `refs/heads/${branch}`);
    if (before !== undefined) await this.move(repository, branch, before, ZERO_SHA, actor);
  }

  async #commits(repository: Repository, before: string, after: string) {
    if (after === ZERO_SHA) return [];
    const range =
      before === ZERO_SHA ? [after, `--max-count=1`] : [`${before}..${after}`, `--max-count=${MOST_COMMITS_IN_A_PUSH}`];
    return (await readCommits(repository.git, range)).reverse();
  }
}

function kindOf(before: string, after: string, forced: boolean): Activity["type"] {
  if (before === ZERO_SHA) return "branch_creation";
  if (after === ZERO_SHA) return "branch_deletion";
  return forced ? "force_push" : "push";
}
