import { AutolithError } from "../errors.ts";
import { type GitHub, gitHubClient } from "./octokit.ts";

/** What a token may do, in GitHub's own names. */
export type Permissions = Readonly<
  Partial<Record<"actions" | "checks" | "contents" | "issues" | "pull_requests" | "metadata", "read" | "write">>
>;

/** One token each for reading code, logs and issues, for talking, and for publishing: none can do more than its stage needs. */
export const permissionsFor = {
  checkout: { contents: "read", metadata: "read" },
  evidence: { actions: "read", checks: "read", contents: "read", pull_requests: "read", metadata: "read" },
  report: { contents: "read", issues: "read", metadata: "read" },
  talk: { checks: "write", issues: "write", pull_requests: "write", metadata: "read" },
  publish: { contents: "write", pull_requests: "write", metadata: "read" },
} as const satisfies Record<string, Permissions>;

export type Purpose = keyof typeof permissionsFor;

export interface AppAccessOptions {
  readonly appId: number;
  /** PKCS#8 PEM. */
  readonly privateKey: string;
  readonly apiUrl: string;
}

/** A repository as the App reaches it. */
export interface RepositoryAccess {
  readonly installationId: number;
  readonly repositoryId: number;
}

/** Mints tokens as the App. Nothing is cached: a job needs few, and a token lives no longer than its stage. */
export interface AppAccess {
  /** Speaks as the App itself, to nothing but the App's own matters. */
  readonly app: GitHub;
  /** A client for one repository, with the rights of the purpose only. */
  client(access: RepositoryAccess, purpose: Purpose, signal: AbortSignal): Promise<GitHub>;
  /** The bare token, for git. */
  token(access: RepositoryAccess, purpose: Purpose, signal: AbortSignal): Promise<string>;
}

export function appAccess(options: AppAccessOptions): AppAccess {
  const { apiUrl, appId, privateKey } = options;
  const app = gitHubClient({ apiUrl, auth: { appId, privateKey }, throttleId: `app-${appId}` });

  async function token(access: RepositoryAccess, purpose: Purpose, signal: AbortSignal): Promise<string> {
    const { data } = await app.rest.apps.createInstallationAccessToken({
      installation_id: access.installationId,
      repository_ids: [access.repositoryId],
      permissions: { ...permissionsFor[purpose] },
      request: { signal },
    });
    if (typeof data.token !== "string" || data.token === "") {
      throw new AutolithError("infrastructure", `GitHub gave no token for installation ${access.installationId}`);
    }
    return data.token;
  }

  async function client(access: RepositoryAccess, purpose: Purpose, signal: AbortSignal): Promise<GitHub> {
    const auth = { token: await token(access, purpose, signal) };
    return gitHubClient({ apiUrl, auth, throttleId: `installation-${access.installationId}` });
  }

  return { app, client, token };
}
