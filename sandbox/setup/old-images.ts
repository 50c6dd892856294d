import type Docker from "dockerode";
import type { ImageInfo } from "dockerode";
import { statusOf } from "../../src/sandbox/engine.ts";
import { say } from "./say.ts";

/** Another checkout on this machine may still work with an image as young as that. */
const KEPT_MS = 24 * 60 * 60 * 1000;

/** Removes images that setup made a day or more ago for other states of the checkout; those that a container uses stay. */
export async function removeOldImages(docker: Docker, keep: readonly string[]): Promise<void> {
  for (const tag of oldTags(await docker.listImages(), keep, Date.now())) {
    try {
      await docker.getImage(tag).remove();
      say(`removed ${tag}`);
    } catch (error) {
      if (statusOf(error) === undefined) throw error;
    }
  }
}

/** The tags to remove, images before those that they are built on. `now` is in milliseconds since the epoch. */
export function oldTags(
  images: readonly Pick<ImageInfo, "RepoTags" | "Created">[],
  keep: readonly string[],
  now: number,
): string[] {
  return images
    .filter(({ Created }) => now - Created * 1000 > KEPT_MS)
    .flatMap(({ RepoTags }) => RepoTags ?? [])
    .filter((tag) => /^autolith\/(sandbox|base|debian):/.test(tag) && !keep.includes(tag))
    .sort()
    .reverse();
}
