import { setImmediate } from "node:timers/promises";
import type { SendPart } from "./pending-request.ts";
import type { WorkspaceFile } from "./sandbox.ts";

/** A piece and its header fit well into one frame. */
const pieceBytes = 256 * 1024;

/** Even files that need no waiting must leave room for other work now and then. */
const filesPerBreath = 1_000;

/**
 * Sends the files of a `put`, then `put-end`: also when the source fails or the signal is aborted half-way, since the
 * supervisor answers only a finished upload. Rejects with what the source threw.
 */
export async function uploadFiles(
  files: Iterable<WorkspaceFile> | AsyncIterable<WorkspaceFile>,
  send: SendPart,
  signal: AbortSignal,
): Promise<void> {
  let sent = 0;
  try {
    for await (const file of files) {
      if (signal.aborted) break;
      await uploadFile(file, send);
      sent += 1;
      if (sent % filesPerBreath === 0) await setImmediate();
    }
  } finally {
    await send("put-end", {});
  }
}

async function uploadFile(file: WorkspaceFile, send: SendPart): Promise<void> {
  const { path, bytes } = file;
  const mode = modeOf(file);
  let offset = 0;
  for (; bytes.length - offset > pieceBytes; offset += pieceBytes) {
    await send("put-file", { path, mode, more: true }, bytes.subarray(offset, offset + pieceBytes));
  }
  await send("put-file", { path, mode }, bytes.subarray(offset));
}

function modeOf(file: WorkspaceFile): "file" | "executable" | "symlink" {
  if (file.kind === "symlink") return "symlink";
  return file.executable ? "executable" : "file";
}
