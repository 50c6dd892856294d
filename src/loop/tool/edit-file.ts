import { z } from "zod";
import type { FileChange } from "../../checkout/patch.ts";
import { unshowHidden } from "../../hidden-characters.ts";
import { decodeText, encodeText, type FileText } from "../file-text.ts";
import { type Observation, observed, refused } from "../observation.ts";
import { findPlaceholder } from "../placeholder.ts";
import { normalizePath } from "../workspace-path.ts";
import { readableBytes } from "./read-file.ts";
import type { Tool, Workspace } from "./tool.ts";

const args = z.object({
  path: z.string().describe("relative to the workspace"),
  old_text: z
    .string()
    .describe("exact text that stands in the file once, without line numbers; empty to create a new file"),
  new_text: z.string().describe("complete code that takes its place"),
});
type EditArguments = z.infer<typeof args>;

type Edit =
  | { readonly kind: "edit"; readonly bytes: Uint8Array; readonly executable: boolean; readonly preceding: string }
  | { readonly kind: "refused"; readonly text: string };

/** Replaces an exact text once, or creates a file; keeps encoding, line ends and mode. */
export const editFile: Tool<EditArguments> = {
  name: "edit_file",
  description:
    "Replace old_text, which must stand exactly once in the file, by new_text. With an empty old_text a new file is created. Tests, test configuration and CI files cannot be edited.",
  arguments: args,
  touches: true,
  async run(request, workspace, signal) {
    const path = normalizePath(request.path);
    if (path === null) return refused(`${request.path} is not a path inside the workspace that may be edited.`);
    const edit =
      request.old_text === ""
        ? await creation(path, request, workspace, signal)
        : await replacement(path, request, workspace, signal);
    if (edit.kind === "refused") return refused(edit.text);
    const placeholder = findPlaceholder(path, request.old_text, request.new_text, edit.preceding);
    if (placeholder !== null) {
      return refused(
        `Line ${placeholder.line} of new_text is a placeholder (${placeholder.text.trim()}). Write the complete code.`,
      );
    }
    const objection = await judge({ kind: "write", path, executable: edit.executable, bytes: edit.bytes }, workspace);
    if (objection !== null) return objection;
    await workspace.session.put(
      [{ path, kind: "file", executable: edit.executable, bytes: edit.bytes }],
      { reset: false },
      signal,
    );
    if (request.old_text === "") {
      workspace.created.add(path);
      return observed(`Created ${path}.`);
    }
    const belongs = workspace.checkout.entries.has(path) || workspace.created.has(path);
    const note = belongs ? "" : " The project does not track this file, so it will not be part of the patch.";
    return observed(`Edited ${path} at line ${edit.preceding.split("\n").length}.${note}`);
  },
};

async function creation(
  path: string,
  request: EditArguments,
  workspace: Workspace,
  signal: AbortSignal,
): Promise<Edit> {
  const [entry] = await workspace.session.stat([path], signal);
  if (entry?.kind !== "missing")
    return { kind: "refused", text: `${path} exists already. Give the text to replace as old_text.` };
  return { kind: "edit", bytes: Buffer.from(request.new_text), executable: false, preceding: "" };
}

async function replacement(
  path: string,
  request: EditArguments,
  workspace: Workspace,
  signal: AbortSignal,
): Promise<Edit> {
  const file = await workspace.session.get(path, readableBytes, signal);
  if (file === null) return { kind: "refused", text: `${path} is not a readable file of the workspace.` };
  if (file.kind === "symlink")
    return { kind: "refused", text: `${path} is a symlink to ${Buffer.from(file.bytes).toString()}; edit that file.` };
  const text = decodeText(file.bytes);
  if (text === null) return { kind: "refused", text: `${path} is a binary file.` };
  const found = locate(text, request.old_text);
  if (typeof found === "string") return { kind: "refused", text: `${found} (${path})` };
  const newText = fitLineEnds(text, found.shown ? unshowHidden(request.new_text) : request.new_text);
  const changed = text.text.slice(0, found.start) + newText + text.text.slice(found.start + found.length);
  if (changed === text.text)
    return { kind: "refused", text: "old_text and new_text are the same; nothing would change." };
  const bytes = encodeText(text, changed);
  if (bytes === null)
    return { kind: "refused", text: `new_text has characters that the encoding of ${path} (Latin-1) cannot hold.` };
  return { kind: "edit", bytes, executable: file.executable, preceding: text.text.slice(0, found.start) };
}

interface Place {
  readonly start: number;
  readonly length: number;
  /** True when the text was given with hidden characters as `read_file` shows them; then the new text is meant so too. */
  readonly shown: boolean;
}

/** Where the text stands, or why it cannot be told. */
function locate(file: FileText, oldText: string): Place | string {
  for (const form of [oldText, unshowHidden(oldText)]) {
    const wanted = fitLineEnds(file, form);
    const start = file.text.indexOf(wanted);
    if (start === -1) continue;
    const times = file.text.split(wanted).length - 1;
    if (times > 1) return `old_text stands ${times} times in the file; give more of the lines around it`;
    return { start, length: wanted.length, shown: form !== oldText };
  }
  return looseMatch(file.text, oldText);
}

/** Helps with the usual mistakes: line numbers left in, or indentation that differs. */
function looseMatch(text: string, oldText: string): string {
  const squeeze = (value: string) => value.replace(/\s+/g, " ").trim();
  if (/^\s*\d+ {2}/.test(oldText)) return "old_text does not stand in the file; leave out the line numbers";
  if (squeeze(text).includes(squeeze(oldText)))
    return "old_text does not stand in the file exactly: the white space differs; read the file again";
  return "old_text does not stand in the file; read the file again";
}

function fitLineEnds(file: FileText, text: string): string {
  return file.crlf ? text.replace(/\r?\n/g, "\r\n") : text;
}

async function judge(change: FileChange, workspace: Workspace): Promise<Observation | null> {
  const findings = await workspace.judge([change]);
  const errors = findings.filter((finding) => finding.severity === "error");
  if (errors.length === 0) return null;
  workspace.refusedEdits.push(...errors);
  return refused(errors.map((finding) => `Refused: ${finding.message}`).join("\n"));
}
