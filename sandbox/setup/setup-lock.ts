import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";

/** The folder that set-ups of one user take turns by: two package managers at once get into each other's way. */
export function setupLock(): string {
  return join(tmpdir(), `autolith-setup-${userInfo().uid}.lock`);
}
