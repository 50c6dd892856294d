import { type AppAccess, appAccess, type Purpose } from "../../src/github/app-access.ts";
import type { GitHub } from "../../src/github/octokit.ts";
import { findRepository, type Repository } from "../../src/github/repository.ts";
import { startTwin, type Twin } from "../twin/twin.ts";
import type { Repository as TwinRepository } from "../twin/world/repository.ts";

/** A twin with one repository, and our clients for it. */
export interface GitHubScene extends AsyncDisposable {
  readonly twin: Twin;
  /** As the twin has it. */
  readonly there: TwinRepository;
  /** As our code knows it. */
  readonly repository: Repository;
  readonly access: AppAccess;
  client(purpose: Purpose): Promise<GitHub>;
  /** A token for git. */
  checkoutToken(): Promise<string>;
}

/** Nothing stops the calls of these tests. */
export const never = new AbortController().signal;

export async function githubScene(files: Readonly<Record<string, string>> = { "a.txt": "a\n" }): Promise<GitHubScene> {
  const twin = await startTwin();
  const there = await twin.repositories.add({ owner: "acme", name: "words", files });
  const installation = twin.installations.covering(there);
  if (installation === undefined) throw new Error("the App is not installed");
  const access = appAccess({ appId: twin.app.id, privateKey: twin.app.privateKey, apiUrl: twin.apiUrl });
  const reach = { installationId: installation.id, repositoryId: there.id };
  const client = (purpose: Purpose) => access.client(reach, purpose, never);
  return {
    twin,
    there,
    repository: await findRepository(await client("evidence"), there.id, never),
    access,
    client,
    checkoutToken: () => access.token(reach, "checkout", never),
    [Symbol.asyncDispose]: () => twin[Symbol.asyncDispose](),
  };
}
