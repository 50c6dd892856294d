import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type Docker from "dockerode";
import { messageOf } from "../../src/errors.ts";
import { baseImage, type ImageFile, programFiles, sandboxImage } from "../../src/sandbox/image.ts";
import { type BaseRecipe, readBaseRecipe } from "./base-recipe.ts";
import { buildImage } from "./build-image.ts";
import { bootstrapDebian } from "./debootstrap.ts";
import { hostNetwork } from "./host-network.ts";
import { hostMirror } from "./mirror.ts";
import { nodeBinary } from "./node-binary.ts";
import { packNpmPackage } from "./npm-package.ts";
import { pullImage } from "./pull.ts";
import { say } from "./say.ts";

/** Makes the sandbox image of this checkout where the engine lacks it, and gives its tag. */
export async function ensureSandboxImage(docker: Docker, root: string): Promise<string> {
  const tag = await sandboxImage(root);
  if (await hasImage(docker, tag)) return tag;
  const base = await ensureBaseImage(docker, root);
  say(`building ${tag}`);
  const dockerfile = await readFile(join(root, "sandbox/Dockerfile"));
  await buildImage(docker, { tag, dockerfile, files: await programFiles(root), args: { BASE: base } });
  return tag;
}

async function ensureBaseImage(docker: Docker, root: string): Promise<string> {
  const tag = await baseImage(root);
  if (await hasImage(docker, tag)) return tag;
  const recipe = await readBaseRecipe(root);
  const { Architecture } = await docker.info();
  const [node, npm] = await Promise.all([
    nodeBinary(root, Architecture),
    packNpmPackage("npm", recipe.npm.version, recipe.npm.integrity),
  ]);
  const debian = await ensureDebian(docker, recipe, tag.replace("autolith/base:", "autolith/debian:"));
  say(`building ${tag}`);
  const { certificates, proxies } = await hostNetwork();
  const files: ImageFile[] = [
    { path: "node", content: node },
    { path: "npm.tgz", content: npm },
    { path: "install-base.sh", content: await readFile(join(root, "sandbox/setup/install-base.sh")) },
  ];
  if (certificates !== undefined) files.push({ path: "ca-bundle.crt", content: certificates });
  const mirror = await hostMirror();
  if (mirror !== undefined) files.push({ path: "autolith.sources", content: aptSources(mirror, recipe.suite) });
  const args = { ...proxies, DEBIAN: debian, PACKAGES: recipe.packages.join(" ") };
  const dockerfile = await readFile(join(root, "sandbox/setup/base.Dockerfile"));
  await buildImage(docker, { tag, dockerfile, files, args });
  return tag;
}

/** A plain Debian to build on: pulled where an image registry answers, else made from packages and named `imported`. */
async function ensureDebian(docker: Docker, recipe: BaseRecipe, imported: string): Promise<string> {
  for (const candidate of [imported, recipe.pull]) if (await hasImage(docker, candidate)) return candidate;
  try {
    say(`pulling ${recipe.pull}`);
    await pullImage(docker, recipe.pull);
    return recipe.pull;
  } catch (error) {
    say(`cannot pull it (${messageOf(error)}); making Debian ${recipe.suite} from packages instead`);
  }
  await bootstrapDebian(docker, recipe, imported);
  return imported;
}

async function hasImage(docker: Docker, tag: string): Promise<boolean> {
  try {
    await docker.getImage(tag).inspect();
    return true;
  } catch (error) {
    if ((error as { statusCode?: number }).statusCode === 404) return false;
    throw error;
  }
}

function aptSources(mirror: string, suite: string): Buffer {
  const keyring = "/usr/share/keyrings/debian-archive-keyring.gpg";
  return Buffer.from(`Types: deb\nURIs: ${mirror}\nSuites: ${suite}\nComponents: main\nSigned-By: ${keyring}\n`);
}
