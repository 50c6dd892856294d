import { lstat, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { currentProcess, isGone, type ProcessIdentity } from "../sandbox/process-identity.ts";

const prefix = "autolith-store-";
const ownerFile = "owner.json";

/** No run takes this long, so a folder that nothing was made in for so long is abandoned, whoever made it. */
const neverUsedMs = 24 * 3_600_000;

const owner = z.object({ pid: z.int(), started: z.string(), place: z.string() });

/** Makes a folder for one store, below the system's folder for temporary files, and notes in it which process it belongs to. */
export async function makeStoreFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), prefix));
  await writeFile(join(folder, ownerFile), JSON.stringify(await currentProcess()));
  return folder;
}

/**
 * Deletes the stores of processes that are gone: a process that is killed cannot, and what it had checked out must not stay. What
 * cannot be read or deleted is left alone; never rejects.
 */
export async function removeAbandonedStores(): Promise<void> {
  const here = await currentProcess();
  const names = await readdir(tmpdir()).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(prefix))) {
    const folder = join(tmpdir(), name);
    if (await isAbandoned(folder, here)) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function isAbandoned(folder: string, here: ProcessIdentity): Promise<boolean> {
  try {
    const status = await lstat(folder);
    // In a folder that all may write to, anybody can make one of this name.
    if (!status.isDirectory() || status.uid !== process.getuid?.()) return false;
    if (Date.now() - status.mtimeMs > neverUsedMs) return true;
    return await isGone(owner.parse(JSON.parse(await readFile(join(folder, ownerFile), "utf8"))), here);
  } catch {
    return false;
  }
}
