import type { CommitSummary } from "../git/commits.ts";
import { ZERO_SHA } from "../git/refs.ts";
import { installationJson, type Json, userJson } from "../json/accounts.ts";
import { checkRunEventJson, suiteJson } from "../json/checks.ts";
import { simpleCommitJson } from "../json/git.ts";
import { commentJson, issueJson } from "../json/issues.ts";
import { nodeId } from "../json/node-id.ts";
import { pullJson, reviewCommentJson, reviewJson, simplePullJson } from "../json/pulls.ts";
import { repositoryJson, repositoryPage } from "../json/repositories.ts";
import { jobJson, workflowJson, workflowRunJson } from "../json/workflows.ts";
import type { Account } from "../world/account.ts";
import type { Happening, Push } from "../world/happening.ts";
import { fullName, type Repository } from "../world/repository.ts";
import type { World } from "../world/world.ts";

/** A webhook, ready to be signed and sent. */
export interface Payload {
  readonly event: string;
  readonly payload: Json;
}

/** The complete payload of something that happened, as things stand at this moment. */
export function payloadOf(world: World, happening: Happening): Payload {
  const { repository, own } = partsOf(world, happening);
  const action = "action" in happening ? { action: happening.action } : {};
  const around = repository === undefined ? {} : surroundings(world, repository);
  return {
    event: happening.event,
    payload: { ...action, ...own, ...around, sender: userJson(world, happening.sender) },
  };
}

interface Parts {
  readonly repository?: Repository;
  readonly own: Json;
}

function partsOf(world: World, happening: Happening): Parts {
  switch (happening.event) {
    case "push":
      return { repository: happening.push.repository, own: pushJson(world, happening.push, happening.sender) };
    case "pull_request":
    case "pull_request_review":
    case "pull_request_review_comment":
      return { repository: happening.pull.repository, own: pullParts(world, happening) };
    case "issues":
      return { repository: happening.issue.repository, own: { issue: issueJson(world, happening.issue) } };
    case "issue_comment": {
      const { comment, previousBody } = happening;
      const changes = previousBody === undefined ? {} : { changes: { body: { from: previousBody } } };
      const { issue } = comment;
      return {
        repository: issue.repository,
        own: { ...changes, issue: issueJson(world, issue), comment: commentJson(world, comment) },
      };
    }
    case "check_run": {
      const { checkRun, identifier } = happening;
      const requested = identifier === undefined ? {} : { requested_action: { identifier } };
      return {
        repository: checkRun.suite.repository,
        own: { check_run: checkRunEventJson(world, checkRun), ...requested },
      };
    }
    case "check_suite":
      return { repository: happening.suite.repository, own: { check_suite: suiteJson(world, happening.suite, false) } };
    case "workflow_run": {
      const { repository, workflow } = happening.run;
      return {
        repository,
        own: {
          workflow_run: workflowRunJson(world, happening.run),
          workflow: workflowJson(world, repository, workflow),
        },
      };
    }
    case "workflow_job":
      return {
        repository: happening.run.repository,
        own: { workflow_job: jobJson(world, happening.run, happening.job) },
      };
    case "installation":
    case "installation_repositories":
      return { own: installationParts(world, happening) };
  }
}

type PullHappening = Extract<
  Happening,
  { event: "pull_request" | "pull_request_review" | "pull_request_review_comment" }
>;

function pullParts(world: World, happening: PullHappening): Json {
  const { pull } = happening;
  if (happening.event === "pull_request_review") {
    const review = reviewJson(world, pull, happening.review);
    // Reviews have their state in capitals in the API, and in small letters here.
    return {
      pull_request: simplePullJson(world, pull),
      review: { ...review, state: happening.review.state.toLowerCase() },
    };
  }
  if (happening.event === "pull_request_review_comment") {
    return { pull_request: simplePullJson(world, pull), comment: reviewCommentJson(world, pull, happening.comment) };
  }
  const moved = happening.before === undefined ? {} : { before: happening.before, after: pull.pull.head.sha };
  const changes = happening.action === "edited" ? { changes: {} } : {};
  return { number: pull.number, pull_request: pullJson(world, pull), ...moved, ...changes };
}

type InstallationHappening = Extract<Happening, { event: "installation" | "installation_repositories" }>;

function installationParts(world: World, happening: InstallationHappening): Json {
  const { installation } = happening;
  const brief = (repository: Repository): Json => ({
    id: repository.id,
    node_id: nodeId("R", repository.id),
    name: repository.name,
    full_name: fullName(repository),
    private: repository.private,
  });
  const json = installationJson(world, installation);
  if (happening.event === "installation") {
    return {
      installation: json,
      repositories: world.installations.repositoriesOf(installation).map(brief),
      requester: null,
    };
  }
  const changed = happening.repositories.map(brief);
  const added = happening.action === "added";
  return {
    installation: json,
    repository_selection: json["repository_selection"],
    requester: null,
    repositories_added: added ? changed : [],
    repositories_removed: added ? [] : changed,
  };
}

/** What comes with everything that happens in a repository. */
function surroundings(world: World, repository: Repository): Json {
  const installation = world.installationOf(repository);
  const { owner } = repository;
  return {
    repository: repositoryJson(world, repository),
    ...(owner.type === "Organization" ? { organization: organizationJson(world, owner) } : {}),
    ...(installation === undefined
      ? {}
      : { installation: { id: installation.id, node_id: nodeId("MDI", installation.id) } }),
  };
}

function organizationJson(world: World, { login, id }: Account): Json {
  const url = `${world.addresses.api}/orgs/${login}`;
  return {
    login,
    id,
    node_id: nodeId("O", id),
    url,
    repos_url: `${url}/repos`,
    events_url: `${url}/events`,
    hooks_url: `${url}/hooks`,
    issues_url: `${url}/issues`,
    members_url: `${url}/members{/member}`,
    public_members_url: `${url}/public_members{/member}`,
    avatar_url: `${world.addresses.web}/avatars/${id}`,
    description: null,
  };
}

function pushJson(world: World, push: Push, sender: Account): Json {
  const page = repositoryPage(world, push.repository);
  const json = (commit: CommitSummary): Json => ({
    ...simpleCommitJson(commit),
    distinct: true,
    url: `${page}/commit/${commit.sha}`,
  });
  const commits = push.commits.map(json);
  return {
    ref: push.ref,
    before: push.before,
    after: push.after,
    base_ref: null,
    created: push.before === ZERO_SHA,
    deleted: push.after === ZERO_SHA,
    forced: push.forced,
    compare: `${page}/compare/${push.before.slice(0, 12)}...${push.after.slice(0, 12)}`,
    commits,
    head_commit: commits.at(-1) ?? null,
    pusher: { name: sender.login, email: null },
  };
}
