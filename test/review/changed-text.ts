import { structuredPatch } from "diff";
import type { ChangedFile } from "../../src/checkout/changed-files.ts";
import type { ChangedText } from "../../src/review/change.ts";
import { roleOf } from "../../src/review/ecosystem.ts";

/** A changed file with both of its sides; null stands for a side that does not have it. */
export function changed(path: string, before: string | null, after: string | null): ChangedText {
  const { hunks } = structuredPatch(path, path, before ?? "", after ?? "", "", "", { context: 3 });
  const text = hunks
    .map((hunk) => {
      const header = `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`;
      return [header, ...hunk.lines].join("\n");
    })
    .join("\n");
  const count = (mark: string) => hunks.flatMap(({ lines }) => lines).filter((line) => line.startsWith(mark)).length;
  const status: ChangedFile["status"] = before === null ? "added" : after === null ? "removed" : "modified";
  const sizes = { added: count("+"), removed: count("-"), binary: false };
  const file: ChangedFile = { path, previousPath: null, status, kind: "file", ...sizes, hunks: text };
  return { file, role: roleOf(path), before, after };
}
