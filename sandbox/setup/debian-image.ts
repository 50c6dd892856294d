import type Docker from "dockerode";
import { messageOf } from "../../src/errors.ts";
import type { BaseRecipe } from "./base-recipe.ts";
import { bootstrapDebian } from "./debootstrap.ts";
import { hasImage } from "./has-image.ts";
import type { PackageSources } from "./package-sources.ts";
import { pullImage } from "./pull.ts";
import { say } from "./say.ts";

/**
 * Gives the name of a Debian image to build on: pulled where an image registry answers, else made from Debian's packages and
 * named `imported`.
 */
export async function debianImage(
  docker: Docker,
  recipe: BaseRecipe,
  sources: PackageSources,
  imported: string,
): Promise<string> {
  for (const candidate of [imported, recipe.pull]) if (await hasImage(docker, candidate)) return candidate;
  say(`pulling ${recipe.pull}`);
  try {
    await pullImage(docker, recipe.pull);
    return recipe.pull;
  } catch (error) {
    say(`${messageOf(error).trim()}; making Debian ${recipe.suite} from packages instead`);
  }
  await bootstrapDebian(docker, recipe, sources, imported);
  return imported;
}
