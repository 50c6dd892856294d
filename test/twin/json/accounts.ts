import type { Account, Installation, Integration } from "../world/account.ts";
import type { World } from "../world/world.ts";
import { nodeId } from "./node-id.ts";

/** A JSON object. */
export type Json = Record<string, unknown>;

/** `simple-user` of the API description. */
export function userJson(world: World, account: Account): Json {
  const login = encodeURIComponent(account.login);
  const api = `${world.addresses.api}/users/${login}`;
  const bot = account.type === "Bot";
  return {
    login: account.login,
    id: account.id,
    node_id: nodeId(account.type === "Bot" ? "BOT" : "U", account.id),
    avatar_url: `${world.addresses.web}/avatars/${account.id}`,
    gravatar_id: "",
    url: api,
    html_url: `${world.addresses.web}/${bot ? `apps/${account.login.replace(/\[bot\]$/, "")}` : login}`,
    followers_url: `${api}/followers`,
    following_url: `${api}/following{/other_user}`,
    gists_url: `${api}/gists{/gist_id}`,
    starred_url: `${api}/starred{/owner}{/repo}`,
    subscriptions_url: `${api}/subscriptions`,
    organizations_url: `${api}/orgs`,
    repos_url: `${api}/repos`,
    events_url: `${api}/events{/privacy}`,
    received_events_url: `${api}/received_events`,
    type: account.type,
    user_view_type: "public",
    site_admin: false,
  };
}

/** `public-user`: what a profile shows besides. */
export function profileJson(world: World, account: Account): Json {
  const empty = { company: null, location: null, email: null, hireable: null, bio: null, twitter_username: null };
  const counts = { public_repos: 0, public_gists: 0, followers: 0, following: 0 };
  const { createdAt } = account;
  return {
    ...userJson(world, account),
    ...empty,
    ...counts,
    name: account.name,
    blog: "",
    created_at: createdAt,
    updated_at: createdAt,
  };
}

/** `integration`: an app. */
export function integrationJson(world: World, app: Integration): Json {
  return {
    id: app.id,
    slug: app.slug,
    client_id: `Iv23li${app.slug}`,
    node_id: nodeId("A", app.id),
    owner: userJson(world, app.owner),
    name: app.name,
    description: "",
    external_url: `${world.addresses.web}/apps/${app.slug}/about`,
    html_url: `${world.addresses.web}/apps/${app.slug}`,
    created_at: app.createdAt,
    updated_at: app.createdAt,
    permissions: app.permissions,
    events: app.events,
  };
}

/** `installation`. */
export function installationJson(world: World, installation: Installation): Json {
  const { account, id } = installation;
  return {
    id,
    client_id: `Iv23li${world.app.slug}`,
    account: userJson(world, account),
    repository_selection: installation.repositories === "all" ? "all" : "selected",
    access_tokens_url: `${world.addresses.api}/app/installations/${id}/access_tokens`,
    repositories_url: `${world.addresses.api}/installation/repositories`,
    html_url: `${world.addresses.web}/settings/installations/${id}`,
    app_id: world.app.id,
    app_slug: world.app.slug,
    target_id: account.id,
    target_type: account.type,
    permissions: installation.permissions,
    events: world.app.events,
    created_at: installation.createdAt,
    updated_at: installation.createdAt,
    single_file_name: null,
    has_multiple_single_files: false,
    single_file_paths: [],
    suspended_by: installation.suspendedAt === null ? null : userJson(world, account),
    suspended_at: installation.suspendedAt,
  };
}
