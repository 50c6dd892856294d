import { type Decide, deciding } from "./decision.ts";
import { installationPayload, repositoriesRemovedPayload } from "./payload.ts";

/** `installation.deleted`: nothing may be called any more, and nothing is to be remembered. */
export const decideInstallationDeleted: Decide = deciding(installationPayload, ({ installation }) => ({
  kind: "lost",
  installationId: installation.id,
  repositoryIds: "all",
  forget: true,
}));

/** `installation.suspend`: nothing may be called until it is lifted. */
export const decideInstallationSuspended: Decide = deciding(installationPayload, ({ installation }) => ({
  kind: "lost",
  installationId: installation.id,
  repositoryIds: "all",
  forget: false,
}));

/** `installation_repositories.removed`: the same for some repositories. */
export const decideRepositoriesRemoved: Decide = deciding(repositoriesRemovedPayload, (payload) => ({
  kind: "lost",
  installationId: payload.installation.id,
  repositoryIds: payload.repositories_removed.map(({ id }) => id),
  forget: true,
}));
