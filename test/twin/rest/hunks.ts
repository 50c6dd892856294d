/**
 * The hunk of a file's patch that holds a line of one side (`RIGHT` is the new file), and the start line too when there
 * is one; undefined when a comment there would be outside of the difference.
 */
export function hunkAt(patch: string, side: "LEFT" | "RIGHT", line: number, startLine?: number): string | undefined {
  for (const hunk of patch.split(/^(?=@@ )/m)) {
    const lines = linesOf(hunk, side);
    if (lines.has(line) && (startLine === undefined || (lines.has(startLine) && startLine < line)))
      return hunk.trimEnd();
  }
  return undefined;
}

function linesOf(hunk: string, side: "LEFT" | "RIGHT"): Set<number> {
  const [header = "", ...body] = hunk.split("\n");
  const [, left = "0", right = "0"] = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(header) ?? [];
  const skipped = side === "LEFT" ? "+" : "-";
  let number = Number(side === "LEFT" ? left : right);
  const lines = new Set<number>();
  for (const text of body) {
    if (text === "" || text.startsWith(skipped) || text.startsWith("\\")) continue;
    lines.add(number);
    number += 1;
  }
  return lines;
}
