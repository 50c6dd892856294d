import type { Twin } from "../twin/twin.ts";
import type { Account } from "../twin/world/account.ts";
import type { PullIssue } from "../twin/world/issue.ts";
import type { Repository } from "../twin/world/repository.ts";
import type { NewJob } from "../twin/world/workflows.ts";
import { type Message, messageOf, messagesOfRun } from "./deliveries.ts";
import { type RedRepository, redRepository } from "./red-repository.ts";

/** A commit that is red, and what its job has to be. */
export interface RedHead {
  readonly repository: Repository;
  readonly sha: string;
  /** Names of its failing checks. */
  readonly failing: readonly string[];
}

/** What happened at GitHub, before any of it was delivered. */
export interface Storm {
  /** All deliveries, in the order of what happened. */
  readonly messages: readonly Message[];
  /** What has to be repaired. */
  readonly heads: readonly RedHead[];
  /** Commits that a newer one has replaced. */
  readonly overtaken: readonly string[];
  /** Pull requests on which somebody asked for help, once. */
  readonly asked: readonly PullIssue[];
}

/** A job that no sandbox can run: its repair ends after everything was read, without a container. */
export function foreignJob(name: string, exitCode = 1): NewJob {
  return { name, steps: [{ run: "npm test", output: `${exitCode} failed`, exitCode }], runsOn: "windows-latest" };
}

const jobs = [foreignJob("test (20)"), foreignJob("lint", 0), foreignJob("test (22)")];
const failing = ["test (20)", "test (22)"];

/** In each repository three pull requests, one of them pushed to again, and a default branch, all red: 25 deliveries. */
export async function storm(twin: Twin, repositories: number): Promise<Storm> {
  const messages: Message[] = [];
  const heads: RedHead[] = [];
  const overtaken: string[] = [];
  const asked: PullIssue[] = [];
  for (let index = 0; index < repositories; index += 1) {
    const red = await redRepository(twin);
    const { repository, ada, pull } = red;
    const pulls = [pull, await openPull(twin, red, "second"), await openPull(twin, red, "third")];
    for (const each of pulls) {
      messages.push(messageOf(twin, { event: "pull_request", action: "opened", pull: each, sender: ada }));
      messages.push(...(await turnRed(twin, repository, each.pull.head.ref)));
      messages.push(helpMessage(twin, each, ada));
      asked.push(each);
    }
    overtaken.push(pull.pull.head.sha);
    messages.push(...(await pushAgain(twin, red)));
    const run = await twin.workflows.run(repository, { branch: "main", jobs: [foreignJob("nightly")] });
    messages.push(...messagesOfRun(twin, run));
    heads.push(...pulls.map(({ pull: { head } }) => ({ repository, sha: head.sha, failing })));
    heads.push({ repository, sha: run.headSha, failing: ["nightly"] });
  }
  return { messages, heads, overtaken, asked };
}

async function openPull(twin: Twin, { repository, ada }: RedRepository, branch: string): Promise<PullIssue> {
  await twin.repositories.commit(repository, { branch, files: { [`${branch}.txt`]: branch }, author: ada });
  return twin.pulls.open(repository, { head: branch, author: ada, title: branch });
}

async function turnRed(twin: Twin, repository: Repository, branch: string): Promise<Message[]> {
  return messagesOfRun(twin, await twin.workflows.run(repository, { branch, jobs }));
}

function helpMessage(twin: Twin, pull: PullIssue, ada: Account): Message {
  const comment = twin.issues.comment(pull, ada, "/autolith help");
  return messageOf(twin, { event: "issue_comment", action: "created", comment, sender: ada });
}

/** A moment later, since GitHub's times are whole seconds. */
async function pushAgain(twin: Twin, { repository, ada, pull }: RedRepository): Promise<Message[]> {
  twin.clock.advance(2_000);
  const before = pull.pull.head.sha;
  await twin.repositories.commit(repository, { branch: "topic", files: { "more.txt": "more" }, author: ada });
  const pushed = messageOf(twin, { event: "pull_request", action: "synchronize", pull, before, sender: ada });
  return [pushed, ...(await turnRed(twin, repository, "topic"))];
}
