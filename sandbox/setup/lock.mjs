import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, rmdir, stat, unlink, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/**
 * Times of a lock, in milliseconds: how often its owner shows that it lives, after how long without a sign it counts as dead,
 * and how often a waiter looks.
 */
const LOCK_TIMES = { beat: 1_000, dead: 10_000, poll: 100 };

/**
 * Runs `work` while no other process holds the lock folder, and gives its result. Waits as long as the present owner lives.
 *
 * A lock is a folder with one file in it, the owner's token; an empty folder is free. Taking it is one rename of a ready-made
 * folder, which the system refuses while the other one has content. A dead owner's lock is taken over by renaming its token,
 * which only one waiter can do. Whether the owner lives is seen by its token's time stamp moving, never by a process id, which
 * may have been given to another process or belong to another container, nor by comparing clocks.
 *
 * @template T
 * @param {string} folder
 * @param {() => Promise<T>} work
 * @param {typeof LOCK_TIMES} [times]
 * @returns {Promise<T>}
 */
export async function withLock(folder, work, times = LOCK_TIMES) {
  const token = randomUUID();
  await mkdir(dirname(folder), { recursive: true });
  await acquire(folder, token, times);
  const owned = join(folder, token);
  const beat = setInterval(() => utimes(owned, new Date(), new Date()).catch(() => {}), times.beat);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    await unlink(owned)
      .then(() => rmdir(folder))
      .catch(() => {});
  }
}

async function acquire(folder, token, times) {
  let seen = "";
  let since = performance.now();
  while (!(await take(folder, token))) {
    const owner = await ownerOf(folder);
    if (owner?.state !== seen) {
      seen = owner?.state;
      since = performance.now();
    } else if (owner !== undefined && performance.now() - since > times.dead) {
      if (await takeOver(folder, owner.token, token)) return;
    }
    await delay(times.poll);
  }
}

/** Takes the lock if it is free. */
async function take(folder, token) {
  const ready = `${folder}.${token}`;
  await mkdir(ready);
  await writeFile(join(ready, token), "");
  try {
    await rename(ready, folder);
    return true;
  } catch (error) {
    await rm(ready, { recursive: true, force: true });
    if (error.code === "ENOTEMPTY" || error.code === "EEXIST") return false;
    throw error;
  }
}

/** The owner's token, and a text that changes with every sign of life; undefined when nobody holds the lock any more. */
async function ownerOf(folder) {
  try {
    const [token] = await readdir(folder);
    if (token === undefined) return undefined;
    const { mtimeMs } = await stat(join(folder, token));
    return { token, state: `${token} ${mtimeMs}` };
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

async function takeOver(folder, dead, token) {
  try {
    await rename(join(folder, dead), join(folder, token));
    return true;
  } catch (error) {
    if (error.code === "ENOENT") return false;
    throw error;
  }
}
