import type { Checkout } from "../checkout/snapshot.ts";
import type { Evidence } from "../evidence/evidence.ts";
import type { GitHub } from "../github/octokit.ts";
import type { Report } from "../loop/issue-prompt.ts";
import type { Spend } from "../model/budget.ts";
import { pullRequestBody, pullRequestTitle } from "../pull-request/body.ts";
import { commitPatch } from "../pull-request/commit.ts";
import { commitMessage } from "../pull-request/commit-message.ts";
import { branchSubject, deleteBranch, openFixBranch } from "../pull-request/fix-branch.ts";
import { openPullRequest } from "../pull-request/open.ts";
import { redact } from "../redact.ts";
import type { TestCommand } from "../runner/test-command.ts";
import type { TraceRecord } from "../trace/event.ts";
import type { Repair } from "../verify/repair.ts";
import { isStillHead, type Place, type StartPoint } from "./start-point.ts";

/** A proven repair, and everything that its pull request tells. */
export interface Publication {
  readonly jobId: string;
  readonly run: string;
  readonly start: StartPoint;
  readonly checkout: Checkout;
  readonly command: TestCommand;
  readonly evidence: Evidence;
  /** What an issue says; nothing else has one. */
  readonly report?: Report | undefined;
  readonly repair: Repair;
  readonly records: readonly TraceRecord[];
  readonly spend: Spend;
  readonly model: string;
  readonly durationMs: number;
  readonly secrets: readonly string[];
}

export type Published =
  | { readonly kind: "opened"; readonly number: number; readonly url: string }
  /** The commit is not the head any more. */
  | { readonly kind: "moved" }
  /** GitHub would make something else of it than what was proven, or may not take it. */
  | { readonly kind: "refused"; readonly reason: string };

/** How often a branch that somebody else moved is tried again under another name. */
const tries = 3;

/**
 * Puts a proven repair on a branch of its own and opens a pull request from it. Nothing is forced, nothing is pushed when the start
 * commit is not the head any more, and nothing is offered but the proven tree. What an earlier attempt made is found and used.
 */
export async function publish(github: GitHub, publication: Publication, signal: AbortSignal): Promise<Published> {
  const { start, repair, secrets } = publication;
  const { repository, place } = start;
  const workflow = repair.patch.find(({ path }) => /^\.github\/workflows\//i.test(path));
  if (workflow !== undefined) {
    return { kind: "refused", reason: `the repair changes ${workflow.path}, and workflows are for people to change` };
  }
  if (!(await isStillHead(github, start, signal))) return { kind: "moved" };
  const branch = await commitToBranch(github, publication, signal);
  if (branch.kind !== "committed") return branch;
  const { command, evidence } = publication;
  const body = pullRequestBody({
    ...publication,
    startCommit: start.sha,
    branch: branch.name,
    command: command.shell,
    checks: evidence.checks,
    exitStatusOnly: command.runner === "command",
    ...(place.kind === "issue" && { issue: { number: place.number, title: publication.report?.title ?? "" } }),
  });
  const input = {
    head: branch.name,
    base: baseOf(place),
    title: redact(pullRequestTitle(repair), secrets),
    body: redact(body, secrets),
  };
  const { number, url } = await openPullRequest(github, repository, input, signal);
  return { kind: "opened", number, url };
}

type CommittedBranch =
  | { readonly kind: "committed"; readonly name: string }
  | Extract<Published, { kind: "moved" | "refused" }>;

async function commitToBranch(github: GitHub, publication: Publication, signal: AbortSignal): Promise<CommittedBranch> {
  const { start, repair, checkout, jobId, secrets } = publication;
  const { repository, sha: parent } = start;
  const want = {
    subject: branchSubject(subjectOf(start.place)),
    startCommit: parent,
    tree: repair.tree,
  };
  const message = commitMessage(redact(pullRequestTitle(repair), secrets), jobId);
  for (let attempt = 1; attempt <= tries; attempt += 1) {
    const branch = await openFixBranch(github, repository, want, signal);
    const { name } = branch;
    if (branch.kind === "committed") return { kind: "committed", name };
    const { patch, tree } = repair;
    const made = await commitPatch(
      github,
      repository,
      { branch: name, parent, checkout, patch, tree, ...message },
      signal,
    );
    if (made.kind === "committed") return { kind: "committed", name };
    if (made.kind === "other-tree") {
      await deleteBranch(github, repository, name, signal);
      return { kind: "refused", reason: "GitHub made another tree of the patch than the one that was proven" };
    }
  }
  return { kind: "moved" };
}

function baseOf(place: Place): string {
  if (place.kind === "fork") throw new Error("nothing is pushed for a pull request from a fork");
  return place.branch;
}

function subjectOf(place: Place): Parameters<typeof branchSubject>[0] {
  if (place.kind === "issue") return { issue: place.number };
  return { branch: baseOf(place), pullRequest: place.kind === "default-branch" ? null : place.number };
}
