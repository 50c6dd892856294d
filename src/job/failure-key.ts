import { createHash } from "node:crypto";
import type { Target } from "../verify/target.ts";

/** Names a failure of a job's subject, so that it is known again on a later commit. */
export function failureKey(subjectKey: string, target: Target): string {
  const what = target.ids === null ? [target.command.shell] : target.ids.toSorted();
  return createHash("sha256")
    .update([subjectKey, ...what].join("\0"))
    .digest("hex");
}
