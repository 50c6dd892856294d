import { z } from "zod";
import type { Repository } from "../job/job.ts";
import { nameLimit, storable } from "../job/storable.ts";

// What is read of GitHub's payloads: https://docs.github.com/en/webhooks/webhook-events-and-payloads

const id = z.number().int().positive();
const sha = z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/);

/** GitHub writes whole seconds; we write what JavaScript does, so that equal moments are equal texts. */
const moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text).toISOString());

/** A name that people choose, cut where GitHub's own limit is. */
const name = z.string().transform((text) => storable(text, nameLimit));

const account = z.object({ id, login: name, type: z.string() });
const app = z.object({ id: id.nullable() }).nullish();

const repository = z
  .object({ id, name, owner: z.object({ login: name }), default_branch: name, archived: z.boolean().default(false) })
  .transform(({ owner, default_branch, ...rest }) => ({ ...rest, owner: owner.login, defaultBranch: default_branch }));

/** Repository webhooks come without an installation; the App's never do. */
const installation = z.object({ id });

const around = { installation, repository, sender: account };

const end = z.object({ ref: name, sha, repo: z.object({ id }).nullable() });

/** A pull request as events about checks show it. */
const pullRequestInCheck = z.object({ number: id, head: end, base: end });

export const checkRunPayload = z.object({
  ...around,
  check_run: z.object({
    id,
    name,
    head_sha: sha,
    conclusion: z.string().nullable(),
    started_at: moment.nullish(),
    app,
    pull_requests: z.array(pullRequestInCheck).default([]),
    check_suite: z.object({ head_branch: name.nullish(), created_at: moment.nullish() }).nullish(),
  }),
});

export const checkSuitePayload = z.object({
  ...around,
  check_suite: z.object({
    head_sha: sha,
    head_branch: name.nullable(),
    conclusion: z.string().nullable(),
    app,
    pull_requests: z.array(pullRequestInCheck).default([]),
  }),
});

export const issueCommentPayload = z.object({
  ...around,
  action: z.string(),
  issue: z.object({
    number: id,
    state: z.string(),
    locked: z.boolean().default(false),
    pull_request: z.unknown().optional(),
  }),
  comment: z.object({
    id,
    body: z.string().nullish(),
    created_at: moment,
    user: account.nullable(),
    performed_via_github_app: app,
  }),
});

export const issuesPayload = z.object({ ...around, action: z.string(), issue: z.object({ number: id }) });

export const pullRequestPayload = z.object({
  ...around,
  action: z.string(),
  pull_request: z.object({
    number: id,
    user: account.nullish(),
    draft: z.boolean().default(false),
    merged: z.boolean().nullish(),
    created_at: moment,
    updated_at: moment,
    head: end,
    base: end,
  }),
});

export const installationPayload = z.object({ installation });

export const repositoriesRemovedPayload = z.object({
  installation,
  repositories_removed: z.array(z.object({ id })),
});

export type PullRequestInCheck = z.output<typeof pullRequestInCheck>;
export type PullRequest = z.output<typeof pullRequestPayload>["pull_request"];
export type Account = z.output<typeof account>;

/** The repository as a job knows it. */
export function asRepository({ id, owner, name, defaultBranch }: z.output<typeof repository>): Repository {
  return { id, owner, name, defaultBranch };
}
