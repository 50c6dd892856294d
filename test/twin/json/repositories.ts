import { fullName, type Repository } from "../world/repository.ts";
import type { World } from "../world/world.ts";
import { type Json, userJson } from "./accounts.ts";
import { nodeId } from "./node-id.ts";

/** The `*_url` fields whose address is the repository's own and a fixed tail. */
const URL_TAILS: Readonly<Record<string, string>> = {
  forks: "/forks",
  keys: "/keys{/key_id}",
  collaborators: "/collaborators{/collaborator}",
  teams: "/teams",
  hooks: "/hooks",
  issue_events: "/issues/events{/number}",
  events: "/events",
  assignees: "/assignees{/user}",
  branches: "/branches{/branch}",
  tags: "/tags",
  blobs: "/git/blobs{/sha}",
  git_tags: "/git/tags{/sha}",
  git_refs: "/git/refs{/sha}",
  trees: "/git/trees{/sha}",
  statuses: "/statuses/{sha}",
  languages: "/languages",
  stargazers: "/stargazers",
  contributors: "/contributors",
  subscribers: "/subscribers",
  subscription: "/subscription",
  commits: "/commits{/sha}",
  git_commits: "/git/commits{/sha}",
  comments: "/comments{/number}",
  issue_comment: "/issues/comments{/number}",
  contents: "/contents/{+path}",
  compare: "/compare/{base}...{head}",
  merges: "/merges",
  archive: "/{archive_format}{/ref}",
  downloads: "/downloads",
  issues: "/issues{/number}",
  pulls: "/pulls{/number}",
  milestones: "/milestones{/number}",
  notifications: "/notifications{?since,all,participating}",
  labels: "/labels{/name}",
  releases: "/releases{/id}",
  deployments: "/deployments",
};

/** The address of a repository in the API. */
export function repositoryUrl(world: World, repository: Repository): string {
  return `${world.addresses.api}/repos/${fullName(repository)}`;
}

/** The address of a repository's page. */
export function repositoryPage(world: World, repository: Repository): string {
  return `${world.addresses.web}/${fullName(repository)}`;
}

/** `minimal-repository`, which other objects carry. */
export function minimalRepositoryJson(world: World, repository: Repository): Json {
  const url = repositoryUrl(world, repository);
  const urls = Object.fromEntries(Object.entries(URL_TAILS).map(([name, tail]) => [`${name}_url`, `${url}${tail}`]));
  return {
    id: repository.id,
    node_id: nodeId("R", repository.id),
    name: repository.name,
    full_name: fullName(repository),
    private: repository.private,
    owner: userJson(world, repository.owner),
    html_url: repositoryPage(world, repository),
    description: null,
    fork: repository.parent !== null,
    url,
    ...urls,
  };
}

/** `repository`, as lists, pull requests and webhooks show it. */
export function repositoryJson(world: World, repository: Repository): Json {
  const page = repositoryPage(world, repository);
  const open = [...repository.issues.values()].filter((issue) => issue.state === "open").length;
  const host = new URL(world.addresses.web).host;
  return {
    ...minimalRepositoryJson(world, repository),
    created_at: repository.createdAt,
    updated_at: repository.createdAt,
    pushed_at: repository.pushedAt,
    git_url: `git://${host}/${fullName(repository)}.git`,
    ssh_url: `git@${host}:${fullName(repository)}.git`,
    clone_url: `${page}.git`,
    svn_url: page,
    homepage: null,
    language: null,
    ...{ size: 0, stargazers_count: 0, watchers_count: 0, watchers: 0, forks_count: 0, forks: 0 },
    ...{
      has_issues: true,
      has_projects: true,
      has_downloads: true,
      has_wiki: true,
      has_pages: false,
      has_discussions: false,
    },
    mirror_url: null,
    archived: repository.archived,
    disabled: false,
    open_issues_count: open,
    open_issues: open,
    license: null,
    allow_forking: true,
    is_template: false,
    web_commit_signoff_required: false,
    topics: [],
    visibility: repository.private ? "private" : "public",
    default_branch: repository.defaultBranch,
  };
}

/** `full-repository`, the answer about one repository. */
export function fullRepositoryJson(world: World, repository: Repository): Json {
  const parent =
    repository.parent === null
      ? {}
      : { parent: repositoryJson(world, repository.parent), source: repositoryJson(world, repository.parent) };
  return {
    ...repositoryJson(world, repository),
    temp_clone_token: null,
    network_count: 0,
    subscribers_count: 0,
    ...(repository.owner.type === "Organization" ? { organization: userJson(world, repository.owner) } : {}),
    ...parent,
  };
}
