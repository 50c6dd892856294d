import type Docker from "dockerode";
import { imageRecipe } from "../../src/sandbox/image.ts";
import { ensureBaseImage } from "./base-image.ts";
import { buildImage } from "./build-image.ts";
import { hasImage } from "./has-image.ts";
import { removeOldImages } from "./old-images.ts";
import { say } from "./say.ts";

/** Makes the sandbox image of this checkout where the engine lacks it, and gives its tag. */
export async function ensureSandboxImage(docker: Docker, root: string): Promise<string> {
  const { tag, base, programs, dockerfile } = await imageRecipe(root);
  if (await hasImage(docker, tag)) return tag;
  await ensureBaseImage(docker, root, base);
  say(`building ${tag}`);
  const files = programs.map(({ path, content }) => ({ path: `program/${path}`, content }));
  await buildImage(docker, { tag, dockerfile, files, args: { BASE: base } });
  await removeOldImages(docker, [tag, base]);
  return tag;
}
