import type { Repository } from "../world/repository.ts";
import { allows, type InstallationToken } from "../world/tokens.ts";
import type { World } from "../world/world.ts";
import { forbidden, unresolved } from "./graphql-error.ts";

/** Who asks, and what they ask about. */
export interface Viewer {
  readonly world: World;
  readonly token: InstallationToken;
  /** The permissions that were asked for so far. */
  readonly needed: string[];
}

/** The repository of a name, as far as the viewer may see it. @throws TypedError NOT_FOUND */
export function visibleRepository({ world, token }: Viewer, name: string): Repository {
  const repository = world.repositoryByName(name);
  const visible = repository !== undefined && (!repository.private || world.tokens.reaches(token, repository));
  if (!visible) throw unresolved(`a Repository with the name '${name}'`);
  return repository;
}

/** @throws TypedError FORBIDDEN unless the viewer holds one of the permissions in the repository */
export function demand(viewer: Viewer, repository: Repository, ...permissions: readonly string[]): void {
  const { world, token, needed } = viewer;
  needed.push(...permissions);
  const held = permissions.some((permission) => allows(token.permissions, permission));
  if (!held || !world.tokens.reaches(token, repository)) throw forbidden();
}
