import type { Repository } from "../world/repository.ts";
import { allows } from "../world/tokens.ts";
import type { World } from "../world/world.ts";
import { ApiError, notAccessible, notFound } from "./answer.ts";
import type { Identity, Needs } from "./call.ts";

/**
 * Lets a request through, or throws what GitHub answers. In repositories of the installation every permission is
 * asked for, public ones too, where GitHub itself would be lenient with reads.
 */
export function authorize(
  world: World,
  identity: Identity,
  needs: Needs,
  repository: Repository | undefined,
  method: string,
): void {
  if (needs === "app") {
    if (identity.kind !== "app") throw new ApiError(401, "A JSON web token could not be decoded");
    return;
  }
  if (identity.kind === "anonymous") throw new ApiError(401, "Requires authentication");
  if (identity.kind === "app") throw new ApiError(401, "Bad credentials");
  const { token } = identity;
  if (token.installation.suspendedAt !== null) throw new ApiError(403, "This installation has been suspended");
  if (needs === "token") return;
  if (repository !== undefined && !world.tokens.reaches(token, repository)) {
    if (repository.private) throw notFound();
    if (method !== "GET") throw notAccessible();
    return;
  }
  if (!alternatives(needs).some((permission) => allows(token.permissions, permission))) throw notAccessible();
}

/** The permissions, one of which is enough. */
export function alternatives(needs: Needs): readonly string[] {
  return typeof needs === "string" ? [needs] : needs;
}
