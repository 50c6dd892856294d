// Payloads as GitHub sends them, trimmed to what matters, with overrides for what a test is about.

export const ownAppId = 4711;
export const now = new Date("2026-05-01T12:20:00.000Z");
export const context = { ownAppId, now };

export const head = "a".repeat(40);
const repositoryId = 7;

type Json = Record<string, unknown>;

const user = { id: 77, login: "ada", type: "User" };

function around(): Json {
  return {
    installation: { id: 42, node_id: "MDI" },
    repository: {
      id: repositoryId,
      name: "shop",
      full_name: "octo/shop",
      owner: { login: "octo" },
      default_branch: "main",
    },
    sender: user,
  };
}

export function pullRequestInCheck(overrides: Json = {}): Json {
  return {
    id: 1,
    number: 5,
    head: { ref: "feature", sha: head, repo: { id: repositoryId, name: "shop" } },
    base: { ref: "main", sha: "0".repeat(40), repo: { id: repositoryId, name: "shop" } },
    ...overrides,
  };
}

/** A failed job of GitHub Actions at the head of pull request 5. */
export function checkRun(overrides: Json = {}, action = "completed"): Json {
  return {
    action,
    check_run: {
      id: 900,
      name: "test (20)",
      head_sha: head,
      status: "completed",
      conclusion: "failure",
      started_at: "2026-05-01T12:05:00Z",
      details_url: "https://github.com/octo/shop/actions/runs/1/job/900",
      app: { id: 15368, slug: "github-actions" },
      pull_requests: [pullRequestInCheck()],
      check_suite: { id: 3, head_branch: "feature", head_sha: head, created_at: "2026-05-01T12:00:00Z" },
      ...overrides,
    },
    ...around(),
  };
}

export function checkSuite(overrides: Json = {}, action = "completed"): Json {
  return {
    action,
    check_suite: {
      id: 3,
      head_branch: "feature",
      head_sha: head,
      status: "completed",
      conclusion: "failure",
      app: { id: 15368, slug: "github-actions" },
      pull_requests: [pullRequestInCheck()],
      ...overrides,
    },
    ...around(),
  };
}

export interface CommentParts {
  readonly action?: string;
  readonly comment?: Json;
  readonly issue?: Json;
  readonly sender?: Json;
  readonly repository?: Json;
}

/** A comment of a person on pull request 5. */
export function issueComment(body: string, parts: CommentParts = {}): Json {
  const surroundings = around();
  return {
    action: parts.action ?? "created",
    ...surroundings,
    issue: {
      number: 5,
      state: "open",
      locked: false,
      pull_request: { url: "https://api.github.com/…" },
      ...parts.issue,
    },
    comment: {
      id: 1234,
      body,
      user,
      created_at: "2026-05-01T12:10:00Z",
      author_association: "OWNER",
      performed_via_github_app: null,
      ...parts.comment,
    },
    repository: { ...(surroundings["repository"] as Json), ...parts.repository },
    sender: parts.sender ?? user,
  };
}

export function pullRequest(action: string, overrides: Json = {}, sender: Json = user): Json {
  return {
    action,
    number: 5,
    pull_request: {
      ...pullRequestInCheck(),
      state: action === "closed" ? "closed" : "open",
      draft: false,
      merged: false,
      created_at: "2026-05-01T11:00:00Z",
      updated_at: "2026-05-01T12:15:00Z",
      user,
      ...overrides,
    },
    ...around(),
    sender,
  };
}
