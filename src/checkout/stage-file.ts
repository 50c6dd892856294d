import { randomUUID } from "node:crypto";
import type { Stats } from "node:fs";
import { type FileHandle, open, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";

const permissionBits = 0o777;

/**
 * Writes a file's new content beside it, ready to be renamed over it in one step; answers with the path.
 * It gets the permissions and, where we may set it, the owner of `before`; a new file gets what the umask leaves.
 */
export async function stageFile(
  target: string,
  bytes: Uint8Array,
  executable: boolean,
  before: Stats | null,
): Promise<string> {
  const staged = join(dirname(target), `.autolith-${randomUUID()}`);
  const handle = await open(staged, "wx", executable ? 0o777 : 0o666);
  try {
    await handle.writeFile(bytes);
    await keepOwner(handle, before ?? (await stat(dirname(target))));
    if (before !== null) await handle.chmod(permissions(before.mode & permissionBits, executable));
    await handle.sync();
  } catch (error) {
    await unlink(staged).catch(() => undefined);
    throw error;
  } finally {
    await handle.close();
  }
  return staged;
}

/** Whoever may read the file may run it, when it becomes executable. */
function permissions(mode: number, executable: boolean): number {
  const isExecutable = (mode & 0o100) !== 0;
  if (isExecutable === executable) return mode;
  return executable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111;
}

/** With `sudo`, a replaced file would become root's. */
async function keepOwner(handle: FileHandle, owner: Stats): Promise<void> {
  if (process.getuid?.() === 0) await handle.chown(owner.uid, owner.gid);
}
