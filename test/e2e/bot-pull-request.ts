import { knownBots } from "../../src/config/known-bots.ts";
import type { Twin } from "../twin/twin.ts";
import type { Account } from "../twin/world/account.ts";
import type { CheckRun } from "../twin/world/check.ts";
import type { PullIssue } from "../twin/world/issue.ts";
import type { Repository } from "../twin/world/repository.ts";
import { eventually } from "./red-repository.ts";

/** A pull request of a bot, and the repository that it is in. */
export interface BotPullRequest {
  readonly repository: Repository;
  readonly pull: PullIssue;
  readonly bot: Account;
  /** Head of the pull request. */
  readonly sha: string;
  /** May write. */
  readonly ada: Account;
}

export interface BotPullRequestOptions {
  /** Files of the default branch. */
  readonly base: Readonly<Record<string, string>>;
  /** What the bot's commit changes; null deletes a file. */
  readonly changes: Readonly<Record<string, string | null>>;
  /** Who opens it; Dependabot by default. */
  readonly author?: (twin: Twin) => Account;
  readonly branch?: string;
  readonly title?: string;
  /** False: the commit is not signed. */
  readonly verified?: boolean;
}

const dependabot = (twin: Twin): Account => twin.accounts.addBot("dependabot[bot]", knownBots.dependabot);

let made = 0;

/** Makes a repository of its own with such a pull request, whose delivery is sent. */
export async function botPullRequest(twin: Twin, options: BotPullRequestOptions): Promise<BotPullRequest> {
  made += 1;
  const { base, changes, author = dependabot, branch = "dependabot/npm/pad-2", verified = true } = options;
  const { title = "Bump pad from 1.0.0 to 2.0.0" } = options;
  const repository = await twin.repositories.add({ owner: `bots-${made}`, name: "shop", files: base });
  const ada = twin.accounts.addUser(`ada-of-bots-${made}`);
  twin.repositories.permit(repository, ada, "write");
  const bot = author(twin);
  const commit = { branch, files: changes, author: bot, verified, message: title };
  const sha = await twin.repositories.commit(repository, commit);
  const pull = await twin.pulls.open(repository, { head: branch, author: bot, title });
  return { repository, pull, bot, sha, ada };
}

/** Autolith's check runs of reviews on a commit. */
export function reviewChecks(twin: Twin, repository: Repository, sha: string): CheckRun[] {
  return [...repository.checkRuns.values()].filter(
    ({ suite, name }) => suite.app.id === twin.app.id && suite.headSha === sha && name === "Autolith review",
  );
}

/** Waits until the review of a commit has ended. */
export function reviewed(twin: Twin, { repository, sha }: { repository: Repository; sha: string }): Promise<CheckRun> {
  return eventually("an end of the review", () =>
    reviewChecks(twin, repository, sha).find(({ status }) => status === "completed"),
  );
}

/** Waits until a repair of a commit has ended. */
export function repaired(twin: Twin, { repository, sha }: { repository: Repository; sha: string }): Promise<CheckRun> {
  return eventually("an end of the repair", () =>
    [...repository.checkRuns.values()].find(
      ({ suite, name, status }) =>
        suite.app.id === twin.app.id && suite.headSha === sha && name === "Autolith" && status === "completed",
    ),
  );
}
