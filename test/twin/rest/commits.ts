import { readCommit, readCommits } from "../git/commits.ts";
import { differences, mergeBase } from "../git/differences.ts";
import { resolveCommit } from "../git/refs.ts";
import { type Answer, ApiError, found } from "../http/answer.ts";
import type { Call, Route } from "../http/call.ts";
import { page } from "../http/pagination.ts";
import { commitJson, fileJson } from "../json/git.ts";
import { simplePullJson } from "../json/pulls.ts";
import { repositoryPage, repositoryUrl } from "../json/repositories.ts";

const MOST_COMMITS_IN_A_COMPARISON = 250;

/** Commits and comparisons. */
export const commitRoutes: readonly Route[] = [
  { on: "GET /repos/{owner}/{repo}/commits", needs: "contents:read", answer: listCommits },
  { on: "GET /repos/{owner}/{repo}/commits/{ref}", needs: "contents:read", answer: getCommit },
  { on: "GET /repos/{owner}/{repo}/compare/{basehead}", needs: "contents:read", answer: compare },
  { on: "GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls", needs: "pull_requests:read", answer: pullsOfCommit },
];

/** The commit of a revision. @throws ApiError 422, as GitHub says of commits */
export async function commitOf(call: Call, revision: string): Promise<string> {
  const sha = await resolveCommit(call.repository.git, revision);
  if (sha === undefined) throw new ApiError(422, `No commit found for SHA: ${revision}`);
  return sha;
}

async function listCommits(call: Call): Promise<Answer> {
  const { repository, query } = call;
  const start = found(await resolveCommit(repository.git, String(query["sha"] ?? repository.defaultBranch)));
  const path = query["path"] === undefined ? [] : ["--", String(query["path"])];
  const commits = await readCommits(repository.git, [start, ...path]);
  return page(call, commits, (commit) => commitJson(call.world, repository, commit));
}

async function getCommit(call: Call): Promise<Answer> {
  const { world, repository } = call;
  const commit = await readCommit(repository.git, await commitOf(call, call.parameter("ref")));
  const files = await differences(repository.git, commit.parents[0] ?? null, commit.sha);
  return { status: 200, body: commitJson(world, repository, commit, files) };
}

async function compare(call: Call): Promise<Answer> {
  const { world, repository } = call;
  const { git } = repository;
  const [left = "", right = ""] = call.parameter("basehead").split("...");
  const base = found(await resolveEnd(call, left));
  const head = found(await resolveEnd(call, right));
  const start = found(await mergeBase(git, base, head));
  const ahead = (await readCommits(git, [`${base}..${head}`])).reverse();
  const behind = Number(await git.text(["rev-list", "--count", `${head}..${base}`]));
  const status = ahead.length > 0 ? (behind > 0 ? "diverged" : "ahead") : behind > 0 ? "behind" : "identical";
  const files = await differences(git, start, head);
  const name = `${left}...${right}`;
  const html = `${repositoryPage(world, repository)}/compare/${name}`;
  const json = async (sha: string) => commitJson(world, repository, await readCommit(git, sha));
  return {
    status: 200,
    body: {
      url: `${repositoryUrl(world, repository)}/compare/${name}`,
      html_url: html,
      permalink_url: html,
      diff_url: `${html}.diff`,
      patch_url: `${html}.patch`,
      base_commit: await json(base),
      merge_base_commit: await json(start),
      status,
      ahead_by: ahead.length,
      behind_by: behind,
      total_commits: ahead.length,
      commits: ahead.slice(0, MOST_COMMITS_IN_A_COMPARISON).map((commit) => commitJson(world, repository, commit)),
      files: files.map((file) => fileJson(world, repository, head, file)),
    },
  };
}

/** One end of a comparison; `owner:branch` is a branch of a fork, whose objects are in the same store. */
async function resolveEnd(call: Call, end: string): Promise<string | undefined> {
  const [owner, branch] = end.split(":");
  if (branch === undefined) return resolveCommit(call.repository.git, end);
  const fork = call.world.repositories
    .all()
    .find((candidate) => candidate.owner.login === owner && candidate.name === call.repository.name);
  return fork === undefined ? undefined : resolveCommit(fork.git, branch);
}

/** Open pull requests with this head, and merged ones that brought the commit in. */
async function pullsOfCommit(call: Call): Promise<Answer> {
  const { world, repository } = call;
  const sha = await commitOf(call, call.parameter("commit_sha"));
  const pulls = world.pulls
    .of(repository)
    .filter((issue) => issue.pull.head.sha === sha || issue.pull.mergeCommitSha === sha);
  return page(call, pulls, (issue) => simplePullJson(world, issue));
}
