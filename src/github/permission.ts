import type { GitHub } from "./octokit.ts";
import { named, type Repository } from "./repository.ts";

const writing = new Set(["admin", "write", "maintain"]);

/**
 * Whether a user may write to the repository, asked by login and held against the id of whoever gave the command: logins can be given to
 * somebody else. An id of null stands for whoever has the login now. `author_association` in payloads is no permission. Whatever cannot be answered counts as no.
 */
export async function mayWrite(
  github: GitHub,
  repository: Repository,
  user: { readonly id: number | null; readonly login: string },
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const { data } = await github.rest.repos.getCollaboratorPermissionLevel({
      ...named(repository),
      username: user.login,
      // Whoever asked can ask again; a reaction should not take long.
      request: { signal, retries: 1 },
    });
    const isMeant = user.id === null || data.user?.id === user.id;
    return isMeant && writing.has(data.permission);
  } catch {
    signal.throwIfAborted();
    return false;
  }
}
