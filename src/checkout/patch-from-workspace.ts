import { createHash, hash } from "node:crypto";
import type { SandboxSession, WorkspaceEntry } from "../sandbox/sandbox.ts";
import { applyPatch } from "./apply-patch.ts";
import type { FileChange, Finding, Patch } from "./patch.ts";
import type { Checkout, CheckoutEntry } from "./snapshot.ts";
import { isWorkspacePath, quotePath } from "./workspace-path.ts";
import { statWorkspace } from "./workspace-state.ts";

/** What the workspace holds as a patch, or why it cannot be one; the messages tell the model what to do instead. */
export type Extraction =
  | { readonly kind: "patch"; readonly patch: Patch }
  | { readonly kind: "refused"; readonly findings: readonly Finding[] };

const maxFiles = 20;
const maxChangedLines = 1_000;
const maxFileBytes = 1024 * 1024;

/**
 * Takes the patch out of a workspace: tracked files that any tool changed or deleted, and the files of `createdPaths` that exist.
 * Other new files never belong to it. Only regular files are taken, each at most 1 MiB, at most 20 of them and 1,000 changed lines.
 */
export async function extractPatch(
  session: SandboxSession,
  checkout: Checkout,
  createdPaths: Iterable<string>,
  signal: AbortSignal,
): Promise<Extraction> {
  const created = newPaths(checkout, createdPaths);
  const unsafe = created.filter((path) => !isWorkspacePath(path));
  if (unsafe.length > 0)
    return refuse(unsafe.map((path) => finding("unsafe-path", path, "choose an ordinary file name")));
  const now = await statWorkspace(session, [...checkout.paths, ...created], signal);
  const changed = [...now.values()].filter((entry) => differs(checkout.entries.get(entry.path), entry));
  if (changed.length > maxFiles) return refuse([tooManyFiles(changed)]);
  const findings = changed.flatMap((entry) => objections(checkout.entries.get(entry.path), entry));
  if (findings.length > 0) return refuse(findings);

  const patch: FileChange[] = [];
  for (const { path, kind } of changed) {
    const change = kind === "missing" ? { kind: "delete" as const, path } : await fetchFile(session, path, signal);
    if (change === null)
      return refuse([finding("file-kind", path, "it changed while it was read; stop what writes to it")]);
    if (isChange(checkout.entries.get(path), change)) patch.push(change);
  }
  patch.sort((a, b) => (a.path < b.path ? -1 : 1));
  const lines = await changedLines(checkout, patch, signal);
  return lines > maxChangedLines ? refuse([tooManyLines(lines)]) : { kind: "patch", patch };
}

/**
 * A hash of what a patch would be made of: equal hashes mean that no tracked or created file differs in content, kind or
 * executable bit. Hex SHA-256.
 */
export async function workspaceTreeHash(
  session: SandboxSession,
  checkout: Checkout,
  createdPaths: Iterable<string>,
  signal: AbortSignal,
): Promise<string> {
  const created = newPaths(checkout, createdPaths).filter(isWorkspacePath);
  const now = await statWorkspace(session, [...checkout.paths, ...created.sort()], signal);
  const state = createHash("sha256");
  for (const { path, kind, executable, sha256 } of now.values()) {
    if (kind !== "missing") state.update(`${kind} ${executable} ${sha256} ${path}\0`);
  }
  return state.digest("hex");
}

function newPaths(checkout: Checkout, createdPaths: Iterable<string>): string[] {
  return [...new Set(createdPaths)].filter((path) => !checkout.entries.has(path));
}

/** Whether a path is no longer as the checkout has it; null stands for a path that it does not have. */
function differs(before: CheckoutEntry | undefined, now: WorkspaceEntry): boolean {
  if (before === undefined) return now.kind !== "missing";
  const kind = before.mode === "120000" ? "symlink" : "file";
  if (now.kind !== kind || now.sha256 !== before.sha256) return true;
  return kind === "file" && now.executable !== (before.mode === "100755");
}

function objections(before: CheckoutEntry | undefined, now: WorkspaceEntry): Finding[] {
  const { path, kind, size } = now;
  if (before?.mode === "120000")
    return [finding("file-kind", path, "a symlink of the repository stays as it is; put it back")];
  if (kind === "symlink") return [finding("file-kind", path, "it is a symlink now; a patch holds regular files only")];
  if (kind === "other")
    return [finding("file-kind", path, "it is no regular file any more; a patch holds regular files only")];
  if (size > maxFileBytes)
    return [finding("patch-too-large", path, "it is larger than 1 MiB; keep generated data out of the patch")];
  return [];
}

async function fetchFile(session: SandboxSession, path: string, signal: AbortSignal): Promise<FileChange | null> {
  const file = await session.get(path, maxFileBytes, signal);
  if (file?.kind !== "file") return null;
  return { kind: "write", path, executable: file.executable, bytes: file.bytes };
}

/** A file may have been put back between the look at its hash and the reading of its bytes. */
function isChange(before: CheckoutEntry | undefined, change: FileChange): boolean {
  if (before === undefined || change.kind === "delete") return true;
  return before.sha256 !== hash("sha256", change.bytes, "hex") || (before.mode === "100755") !== change.executable;
}

async function changedLines(checkout: Checkout, patch: Patch, signal: AbortSignal): Promise<number> {
  if (patch.length === 0) return 0;
  const { store, tree } = checkout;
  const changes = await store.numstat(tree, await applyPatch(store, tree, patch, signal), signal);
  return changes.reduce((sum, { added, removed }) => sum + added + removed, 0);
}

function tooManyFiles(changed: readonly WorkspaceEntry[]): Finding {
  const listed = changed.slice(0, 5).map(({ path }) => quotePath(path));
  const what = `${changed.length} files differ (${listed.join(", ")}, …); at most ${maxFiles} may; put back what the repair does not need`;
  return finding("patch-too-large", "", what);
}

function tooManyLines(lines: number): Finding {
  return finding("patch-too-large", "", `${lines} lines differ; at most ${maxChangedLines} may; make a smaller change`);
}

function finding(rule: string, file: string, message: string): Finding {
  return { rule, file, line: 0, severity: "error", message };
}

function refuse(findings: readonly Finding[]): Extraction {
  return { kind: "refused", findings };
}
