import type Docker from "dockerode";
import { statusOf } from "../../src/sandbox/engine.ts";

/** Whether the engine has an image of that name. */
export async function hasImage(docker: Docker, tag: string): Promise<boolean> {
  try {
    await docker.getImage(tag).inspect();
    return true;
  } catch (error) {
    if (statusOf(error) === 404) return false;
    throw error;
  }
}
