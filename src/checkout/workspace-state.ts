import { SandboxError } from "../errors.ts";
import type { SandboxSession, WorkspaceEntry } from "../sandbox/sandbox.ts";
import { quotePath } from "./workspace-path.ts";

/** Bounds of one question, well below a frame of the sandbox protocol (1 MiB). */
const batchPaths = 1_000;
const batchBytes = 256 * 1024;

/** Kind, size and hash of each path in the workspace, asked in as many questions as needed. */
export async function statWorkspace(
  session: SandboxSession,
  paths: Iterable<string>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, WorkspaceEntry>> {
  const entries = new Map<string, WorkspaceEntry>();
  for (const batch of batches(paths)) {
    signal.throwIfAborted();
    for (const entry of await session.stat(batch, signal)) entries.set(entry.path, entry);
    for (const path of batch) {
      if (!entries.has(path)) throw new SandboxError(`the sandbox said nothing about ${quotePath(path)}`);
    }
  }
  return entries;
}

function* batches(paths: Iterable<string>): Generator<string[]> {
  let batch: string[] = [];
  let bytes = 0;
  for (const path of paths) {
    batch.push(path);
    bytes += Buffer.byteLength(JSON.stringify(path)) + 2;
    if (batch.length < batchPaths && bytes < batchBytes) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}
