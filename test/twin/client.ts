import { createAppAuth } from "@octokit/auth-app";
import { Octokit } from "@octokit/rest";
import type { Twin } from "./twin.ts";
import type { Permissions } from "./world/account.ts";
import type { Repository } from "./world/repository.ts";

/** Octokit says errors on the console, which a test that expects them does not want to see. */
const SILENT = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** Octokit as the app itself, with its JWT. */
export function appClient(twin: Twin): Octokit {
  const auth = { appId: twin.app.id, privateKey: twin.app.privateKey };
  return new Octokit({ baseUrl: twin.apiUrl, authStrategy: createAppAuth, auth, log: SILENT });
}

/** Octokit as nobody, or with a token. */
export function plainClient(twin: Twin, token?: string): Octokit {
  return new Octokit({ baseUrl: twin.apiUrl, log: SILENT, ...(token === undefined ? {} : { auth: token }) });
}

/** An installation token for one repository, with all the permissions of the installation or with fewer. */
export async function tokenFor(twin: Twin, repository: Repository, permissions?: Permissions): Promise<string> {
  const installation = twin.installations.covering(repository);
  if (installation === undefined) throw new Error(`the app is not installed on ${repository.owner.login}`);
  const { data } = await appClient(twin).rest.apps.createInstallationAccessToken({
    installation_id: installation.id,
    repository_ids: [repository.id],
    ...(permissions === undefined ? {} : { permissions }),
  });
  return data.token;
}

/** Octokit with such a token. */
export async function clientFor(twin: Twin, repository: Repository, permissions?: Permissions): Promise<Octokit> {
  return plainClient(twin, await tokenFor(twin, repository, permissions));
}

/** `{ owner, repo }`, as every operation on a repository takes it. */
export function at(repository: Repository): { owner: string; repo: string } {
  return { owner: repository.owner.login, repo: repository.name };
}
