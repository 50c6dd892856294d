import type { Answer } from "../http/answer.ts";
import { ApiError, found } from "../http/answer.ts";
import type { Call, Route } from "../http/call.ts";
import { page } from "../http/pagination.ts";
import { installationJson, integrationJson } from "../json/accounts.ts";
import { repositoryJson } from "../json/repositories.ts";
import type { Installation, Permissions } from "../world/account.ts";
import type { Repository } from "../world/repository.ts";
import { allows } from "../world/tokens.ts";

/** The app, its installations and their tokens. */
export const appRoutes: readonly Route[] = [
  { on: "GET /app", needs: "app", answer: ({ world }) => ({ status: 200, body: integrationJson(world, world.app) }) },
  {
    on: "GET /app/installations",
    needs: "app",
    answer: (call) =>
      page(call, call.world.installations.all(), (installation) => installationJson(call.world, installation)),
  },
  {
    on: "GET /app/installations/{installation_id}",
    needs: "app",
    answer: (call) => ({ status: 200, body: installationJson(call.world, installationOf(call)) }),
  },
  {
    on: "GET /repos/{owner}/{repo}/installation",
    needs: "app",
    answer: (call) => ({
      status: 200,
      body: installationJson(call.world, found(call.world.installationOf(call.repository))),
    }),
  },
  { on: "POST /app/installations/{installation_id}/access_tokens", needs: "app", answer: mint },
  { on: "GET /installation/repositories", needs: "token", answer: listRepositories },
  {
    on: "DELETE /installation/token",
    needs: "token",
    answer: (call) => {
      call.token.revoked = true;
      return { status: 204 };
    },
  },
  {
    on: "GET /rate_limit",
    needs: "token",
    answer: ({ world, token }) => ({ status: 200, body: world.rateLimits.overview(token.value) }),
  },
];

function installationOf(call: Call): Installation {
  return found(call.world.installations.byId(call.number("installation_id")));
}

function mint(call: Call): Answer {
  const installation = installationOf(call);
  if (installation.suspendedAt !== null) throw new ApiError(403, "This installation has been suspended");
  const body = call.input<"apps", "createInstallationAccessToken">();
  const repositories = chosenRepositories(call, installation, body.repository_ids, body.repositories);
  const permissions = narrowed(installation, body.permissions as Permissions | undefined);
  const ids = repositories === undefined ? null : new Set(repositories.map(({ id }) => id));
  const token = call.world.tokens.mint(installation, permissions, ids);
  const { world } = call;
  return {
    status: 201,
    body: {
      token: token.value,
      expires_at: world.clock.iso(token.expiresAt),
      permissions,
      repository_selection: repositories === undefined && installation.repositories === "all" ? "all" : "selected",
      ...(repositories === undefined
        ? {}
        : { repositories: repositories.map((repository) => repositoryJson(world, repository)) }),
    },
  };
}

function chosenRepositories(
  call: Call,
  installation: Installation,
  ids: number[] = [],
  names: string[] = [],
): Repository[] | undefined {
  if (ids.length === 0 && names.length === 0) return undefined;
  const covered = call.world.installations.repositoriesOf(installation);
  const chosen = [
    ...ids.map((id) => covered.find((repository) => repository.id === id)),
    ...names.map((name) => covered.find((repository) => repository.name === name)),
  ];
  return chosen.map((repository) => {
    if (repository !== undefined) return repository;
    throw new ApiError(
      422,
      "There is at least one repository that does not exist or is not accessible to the parent installation.",
    );
  });
}

function narrowed(installation: Installation, asked: Permissions | undefined): Permissions {
  if (asked === undefined || Object.keys(asked).length === 0) return installation.permissions;
  const tooMuch = Object.entries(asked).some(([name, level]) => !allows(installation.permissions, `${name}:${level}`));
  if (tooMuch) throw new ApiError(422, "The permissions requested are not granted to this installation.");
  return { metadata: "read", ...asked };
}

function listRepositories(call: Call): Answer {
  const { world, token } = call;
  const repositories = world.installations
    .repositoriesOf(token.installation)
    .filter((repository) => world.tokens.reaches(token, repository));
  const selection = token.installation.repositories === "all" ? "all" : "selected";
  return page(
    call,
    repositories,
    (repository) => repositoryJson(world, repository),
    (rendered, total) => ({
      total_count: total,
      repository_selection: selection,
      repositories: rendered,
    }),
  );
}
