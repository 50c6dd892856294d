import { writeCommit } from "../git/commits.ts";
import { differenceSize, mergeBase, mergedTree } from "../git/differences.ts";
import { MERGER } from "./commit-identity.ts";
import type { PullIssue } from "./issue.ts";

/**
 * Brings what a pull request says about git up to date with its head and base: `refs/pull/N/head` and, without
 * conflicts, `refs/pull/N/merge` in the base repository, its size, and whether it can be merged.
 */
export async function updateFromGit(issue: PullIssue): Promise<void> {
  const { git } = issue.repository;
  const { pull } = issue;
  await git.run(["update-ref", `refs/pull/${issue.number}/head`, pull.head.sha]);
  const start = (await mergeBase(git, pull.base.sha, pull.head.sha)) ?? null;
  const commits = Number(await git.text(["rev-list", "--count", `${pull.base.sha}..${pull.head.sha}`]));
  pull.size = { commits, ...(await differenceSize(git, start, pull.head.sha)) };
  await updateMergeRef(issue);
}

async function updateMergeRef(issue: PullIssue): Promise<void> {
  const { git } = issue.repository;
  const { head, base } = issue.pull;
  const tree = await mergedTree(git, base.sha, head.sha);
  issue.pull.mergeable = tree !== undefined;
  if (tree === undefined) {
    issue.pull.mergeCommitSha = null;
    await git.tryText(["update-ref", "-d", `refs/pull/${issue.number}/merge`]);
    return;
  }
  const signature = { ...MERGER, date: issue.updatedAt };
  const message = `Merge ${head.sha} into ${base.sha}`;
  const sha = await writeCommit(git, {
    tree,
    parents: [base.sha, head.sha],
    author: signature,
    committer: signature,
    message,
  });
  await git.run(["update-ref", `refs/pull/${issue.number}/merge`, sha]);
  issue.pull.mergeCommitSha = sha;
}
