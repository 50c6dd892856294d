import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

const BaseRecipe = z.strictObject({
  /** Debian's code name for the release in the sandbox. */
  suite: z.string().regex(/^[a-z]+$/),
  /** The image of that release to start from where an image registry can be reached. */
  pull: z.string(),
  /** Debian packages. */
  packages: z.array(z.string().regex(/^[a-z0-9][a-z0-9.+-]+$/)),
  npm: z.strictObject({ version: z.string(), integrity: z.string() }),
});

/** What the slow half of the sandbox image is made of. */
export type BaseRecipe = z.infer<typeof BaseRecipe>;

/** Reads `base.json`, the one place where the contents of the base image are chosen. */
export async function readBaseRecipe(root: string): Promise<BaseRecipe> {
  return BaseRecipe.parse(JSON.parse(await readFile(join(root, "sandbox/setup/base.json"), "utf8")));
}
