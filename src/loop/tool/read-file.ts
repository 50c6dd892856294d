import { z } from "zod";
import { showHidden } from "../../hidden-characters.ts";
import { decodeText } from "../file-text.ts";
import { observed, refused } from "../observation.ts";
import { normalizePath } from "../workspace-path.ts";
import type { Tool } from "./tool.ts";

const args = z.object({
  path: z.string().describe("relative to the workspace"),
  start_line: z.number().int().min(1).optional(),
  end_line: z.number().int().min(1).optional(),
});

/** Largest file that is read, and the lines shown when no range is given. */
export const readableBytes = 4 * 1024 * 1024;
const shownLines = 400;

/** Shows a file with line numbers. */
export const readFile: Tool<z.infer<typeof args>> = {
  name: "read_file",
  description: `Show a file of the workspace with line numbers, at most ${shownLines} lines at once.`,
  arguments: args,
  touches: false,
  async run(request, workspace, signal) {
    const path = normalizePath(request.path);
    if (path === null) return refused(`${request.path} is not a path inside the workspace.`);
    const file = await workspace.session.get(path, readableBytes, signal);
    if (file === null) return refused(await missing(path, workspace.checkout.paths));
    if (file.kind === "symlink") return observed(`${path} is a symlink to ${Buffer.from(file.bytes).toString()}`);
    const text = decodeText(file.bytes);
    if (text === null) return refused(`${path} is a binary file of ${file.bytes.length} bytes.`);
    return observed(numbered(path, text.text, request.start_line ?? 1, request.end_line));
  },
};

function numbered(path: string, text: string, start: number, end: number | undefined): string {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const last = Math.min(lines.length, end ?? start + shownLines - 1, start + shownLines - 1);
  const shown = lines
    .slice(start - 1, last)
    .map((line, index) => `${String(start + index).padStart(5)}  ${showHidden(line.replace(/\r$/, ""))}`);
  return `${path}, lines ${Math.min(start, last)} to ${last} of ${lines.length}\n${shown.join("\n")}`;
}

async function missing(path: string, paths: readonly string[]): Promise<string> {
  const name = path.split("/").at(-1) ?? path;
  const similar = paths
    .filter((other) => other.endsWith(`/${name}`) || other === name || other.startsWith(`${path}/`))
    .slice(0, 10);
  const hint = similar.length > 0 ? ` Did you mean: ${similar.join(", ")}?` : "";
  return `${path} is not a readable file of the workspace.${hint}`;
}
