import type { FileChange, Finding, Patch } from "./patch.ts";
import { nameProblem, type PatchBase, skipsIn } from "./patch-policy.ts";
import { protectionOf } from "./protected-path.ts";

/**
 * Holds what is changed before a report is reproduced against the rules: a new test file may be written, and nothing else. The messages
 * tell the model what to do instead.
 */
export function judgeReproduction(before: Pick<PatchBase, "entries">, patch: Patch): Finding[] {
  return patch.flatMap((change) => judge(before, change));
}

function judge(before: Pick<PatchBase, "entries">, change: FileChange): Finding[] {
  const { path } = change;
  if (before.entries.has(path) || change.kind === "delete") {
    return [
      error("reproduce-first", path, "the project stays as it is until a test shows the report; write a new test file"),
    ];
  }
  const odd = nameProblem(path, true);
  if (odd !== null) return [odd];
  const protection = protectionOf(path);
  if (protection === null)
    return [error("no-test-path", path, "this is no place for a test; name it as the project's tests are named")];
  if (protection.rule !== "edits-test") return [error(protection.rule, path, protection.message)];
  return skipsIn(path, "", Buffer.from(change.bytes).toString("utf8"));
}

function error(rule: string, file: string, message: string): Finding {
  return { rule, file, line: 0, severity: "error", message };
}
