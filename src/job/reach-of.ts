import type { RepositoryAccess } from "../github/app-access.ts";

/** How the App reaches the repository of a job or an intake. */
export function reachOf(about: {
  readonly installationId: number;
  readonly repository: { readonly id: number };
}): RepositoryAccess {
  return { installationId: about.installationId, repositoryId: about.repository.id };
}
