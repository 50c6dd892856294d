import { readCommits } from "../git/commits.ts";
import { differences, mergeBase } from "../git/differences.ts";
import { readRef } from "../git/refs.ts";
import { type Answer, found, validationFailed } from "../http/answer.ts";
import type { Call, Route } from "../http/call.ts";
import { page } from "../http/pagination.ts";
import { commitJson, fileJson } from "../json/git.ts";
import { pullJson, simplePullJson } from "../json/pulls.ts";
import type { PullIssue } from "../world/issue.ts";
import type { Repository } from "../world/repository.ts";
import { checkBody } from "./issues.ts";

/** Pull requests. */
export const pullRoutes: readonly Route[] = [
  { on: "GET /repos/{owner}/{repo}/pulls", needs: "pull_requests:read", answer: list },
  { on: "POST /repos/{owner}/{repo}/pulls", needs: "pull_requests:write", answer: create },
  {
    on: "GET /repos/{owner}/{repo}/pulls/{pull_number}",
    needs: "pull_requests:read",
    answer: (call) => ({ status: 200, body: pullJson(call.world, pullOf(call)) }),
  },
  { on: "PATCH /repos/{owner}/{repo}/pulls/{pull_number}", needs: "pull_requests:write", answer: update },
  { on: "GET /repos/{owner}/{repo}/pulls/{pull_number}/files", needs: "pull_requests:read", answer: listFiles },
  { on: "GET /repos/{owner}/{repo}/pulls/{pull_number}/commits", needs: "pull_requests:read", answer: listCommits },
];

/** The pull request of the path. */
export function pullOf(call: Call): PullIssue {
  const issue = found(call.repository.issues.get(call.number("pull_number")));
  found(issue.pull);
  return issue as PullIssue;
}

function list(call: Call): Answer {
  const { state = "open", head, base } = call.query;
  const pulls = call.world.pulls.of(call.repository).filter(({ pull, state: its }) => {
    if (state !== "all" && its !== state) return false;
    if (base !== undefined && pull.base.ref !== base) return false;
    // GitHub ignores a head without an owner and then answers all pull requests.
    return head === undefined || !String(head).includes(":") || `${pull.head.owner.login}:${pull.head.ref}` === head;
  });
  return page(call, pulls.reverse(), (issue) => simplePullJson(call.world, issue));
}

async function create(call: Call): Promise<Answer> {
  const { world, repository } = call;
  const input = call.input<"pulls", "create">();
  checkBody("PullRequest", input.body, false);
  const { from, branch } = headOf(call, input.head);
  await checkEnds(call, from, branch, input.base);
  const issue = await world.pulls.open(repository, {
    title: input.title ?? branch,
    body: input.body ?? null,
    head: branch,
    base: input.base,
    from,
    author: call.actor,
    app: world.app,
    draft: input.draft ?? false,
    maintainerCanModify: input.maintainer_can_modify ?? from.id !== repository.id,
  });
  return { status: 201, body: pullJson(world, issue) };
}

/** `branch` of the same repository, or `owner:branch` of a fork. */
function headOf(call: Call, head: string): { from: Repository; branch: string } {
  const [owner, branch] = head.split(":");
  if (branch === undefined) return { from: call.repository, branch: head };
  const network = call.world.repositories
    .all()
    .filter((other) => other.id === call.repository.id || other.parent?.id === call.repository.id);
  const from = network.find((other) => other.owner.login.toLowerCase() === owner?.toLowerCase());
  if (from === undefined) throw validationFailed({ resource: "PullRequest", field: "head", code: "invalid" });
  return { from, branch };
}

async function checkEnds(call: Call, from: Repository, branch: string, base: string): Promise<void> {
  const { repository, world } = call;
  const head = await readRef(from.git, `refs/heads/${branch}`);
  const target = await readRef(repository.git, `refs/heads/${base}`);
  if (head === undefined) throw validationFailed({ resource: "PullRequest", field: "head", code: "invalid" });
  if (target === undefined) throw validationFailed({ resource: "PullRequest", field: "base", code: "invalid" });
  const custom = (message: string) => validationFailed({ resource: "PullRequest", code: "custom", message });
  const twin = world.pulls
    .of(repository)
    .find(
      ({ pull, state }) =>
        state === "open" && pull.head.repository?.id === from.id && pull.head.ref === branch && pull.base.ref === base,
    );
  if (twin !== undefined) throw custom(`A pull request already exists for ${from.owner.login}:${branch}.`);
  const ahead = await repository.git.text(["rev-list", "--count", `${target}..${head}`]);
  if (ahead === "0") throw custom(`No commits between ${base} and ${branch}`);
}

async function update(call: Call): Promise<Answer> {
  const issue = pullOf(call);
  const { title, body, state, base } = call.input<"pulls", "update">();
  checkBody("PullRequest", body, false);
  if (title !== undefined) issue.title = title;
  if (body !== undefined) issue.body = body;
  if (base !== undefined) {
    const sha = await readRef(call.repository.git, `refs/heads/${base}`);
    if (sha === undefined) throw validationFailed({ resource: "PullRequest", field: "base", code: "invalid" });
    Object.assign(issue.pull.base, { ref: base, sha });
  }
  issue.updatedAt = call.world.clock.iso();
  if (title !== undefined || body !== undefined || base !== undefined) {
    call.world.happened({ event: "pull_request", action: "edited", pull: issue, sender: call.actor });
  }
  if (state !== undefined) call.world.pulls.setState(issue, state, call.actor);
  return { status: 200, body: pullJson(call.world, issue) };
}

async function listFiles(call: Call): Promise<Answer> {
  const { pull, repository } = pullOf(call);
  const start = (await mergeBase(repository.git, pull.base.sha, pull.head.sha)) ?? null;
  const files = await differences(repository.git, start, pull.head.sha);
  return page(call, files, (file) => fileJson(call.world, repository, pull.head.sha, file));
}

async function listCommits(call: Call): Promise<Answer> {
  const { pull, repository } = pullOf(call);
  const commits = await readCommits(repository.git, [`${pull.base.sha}..${pull.head.sha}`]);
  return page(call, commits.reverse(), (commit) => commitJson(call.world, repository, commit));
}
