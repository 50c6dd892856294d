import { rmSync } from "node:fs";
import { join } from "node:path";
import { lockDataDirectory } from "../../src/store/data-directory-lock.ts";

/**
 * Deletes what the database of an earlier demo knows: the twin of GitHub is a new one each time and gives the same numbers again, so
 * the limits of a pull request and of a day would be reached by the third demo. Traces stay. Throws when a demo is running.
 */
export function forgetEarlier(data: string): void {
  using _ = lockDataDirectory(data);
  rmSync(join(data, "database"), { recursive: true, force: true });
}
