import type { Change } from "./change.ts";
import { jobKey, keyOf, keysOf } from "./job.ts";

/**
 * The keys that have to be locked before a change is applied, in the order in which they are locked. Which keys a withdrawal or a lost
 * repository concerns is found on the way, so those lock for themselves.
 */
export function keysOfChange(change: Change): readonly string[] {
  switch (change.kind) {
    case "fix":
    case "review":
      return [jobKey(change.job)];
    case "several":
      return [...new Set(change.changes.flatMap(keysOfChange))];
    case "complete":
      return [keyOf(change.repositoryId, change.subject)];
    case "cancel":
      return keysOf(change.repositoryId, change.subject);
    case "head":
      return keysOf(change.head.repositoryId, change.head.subject);
    case "intake":
    case "refusal":
    case "withdraw":
    case "lost":
      return [];
  }
}
