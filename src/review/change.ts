import { type ChangedFile, changedFiles } from "../checkout/changed-files.ts";
import type { Checkout } from "../checkout/snapshot.ts";
import { type FileRole, roleOf } from "./ecosystem.ts";

/** One changed file with its text on both sides; null where it is not there, binary or too large. */
export interface ChangedText {
  readonly file: ChangedFile;
  readonly role: FileRole;
  readonly before: string | null;
  readonly after: string | null;
}

/** What a pull request changes: from where it left the base branch to its head. */
export interface Change {
  readonly base: Checkout;
  readonly head: Checkout;
  readonly files: readonly ChangedText[];
}

/** Lockfiles of large projects have some megabytes. */
const readableBytes = 16 * 1024 * 1024;

/** Reads what differs between the two trees of one store. */
export async function readChange(base: Checkout, head: Checkout, signal: AbortSignal): Promise<Change> {
  const files: ChangedText[] = [];
  for (const file of await changedFiles(head.store.place, base.tree, head.tree, signal)) {
    files.push({
      file,
      role: roleOf(file.path),
      before: file.status === "added" ? null : await textOf(base, file.previousPath ?? file.path),
      after: file.status === "removed" ? null : await textOf(head, file.path),
    });
  }
  return { base, head, files };
}

/** A file's text; null when it is none, or no UTF-8. */
export async function textOf(checkout: Checkout, path: string): Promise<string | null> {
  const entry = checkout.entries.get(path);
  if (entry === undefined || entry.mode === "120000" || entry.size > readableBytes) return null;
  const bytes = await checkout.read(path);
  if (bytes === null || bytes.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
