import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type Docker from "dockerode";
import { z } from "zod";
import { fastPathFiles } from "../../src/sandbox/image.ts";
import { type BaseRecipe, readBaseRecipe } from "./base-recipe.ts";
import { buildImage, type ContextFile } from "./build-image.ts";
import { debianImage } from "./debian-image.ts";
import { hasImage } from "./has-image.ts";
import { nodeBinary } from "./node-binary.ts";
import { packNpmPackage } from "./npm-package.ts";
import { type PackageSources, packageSources } from "./package-sources.ts";
import { say } from "./say.ts";

const EngineInfo = z.object({ Architecture: z.string() });

/** Makes the slow half of the sandbox image, named `tag`, where the engine lacks it. */
export async function ensureBaseImage(docker: Docker, root: string, tag: string): Promise<void> {
  if (await hasImage(docker, tag)) return;
  const recipe = await readBaseRecipe(root);
  const sources = await packageSources();
  const files = await contextFiles(docker, root, recipe, sources);
  const imported = tag.replace("autolith/base:", "autolith/debian:");
  const debian = await debianImage(docker, recipe, sources, imported);
  say(`building ${tag}`);
  const dockerfile = await readFile(join(root, "sandbox/setup/base.Dockerfile"));
  const args = { ...sources.proxies, DEBIAN: debian, PACKAGES: recipe.packages.join(" ") };
  await buildImage(docker, { tag, dockerfile, files, args });
  if (debian === imported) await docker.getImage(imported).remove();
}

/** What install-base.sh and the Dockerfile expect to find. */
async function contextFiles(
  docker: Docker,
  root: string,
  recipe: BaseRecipe,
  { certificates, mirror }: PackageSources,
): Promise<ContextFile[]> {
  const { Architecture } = EngineInfo.parse(await docker.info());
  const [node, npm, script, fastPath] = await Promise.all([
    nodeBinary(root, Architecture),
    packNpmPackage("npm", recipe.npm.version, recipe.npm.integrity),
    readFile(join(root, "sandbox/setup/install-base.sh")),
    fastPathFiles(root),
  ]);
  const files: ContextFile[] = [
    { path: "node", content: node, executable: true },
    { path: "build/npm.tgz", content: npm },
    { path: "build/install-base.sh", content: script },
    ...fastPath.map(({ path, content }) => ({ path: `build/${path}`, content })),
  ];
  if (certificates !== undefined) files.push({ path: "build/ca-bundle.crt", content: certificates });
  if (mirror !== undefined) files.push({ path: "build/host.sources", content: aptSource(mirror, recipe.suite) });
  return files;
}

/** An apt source in the deb822 format, signed by the keys that Debian's images carry. */
function aptSource(mirror: string, suite: string): string {
  const keyring = "/usr/share/keyrings/debian-archive-keyring.gpg";
  return `Types: deb\nURIs: ${mirror}\nSuites: ${suite}\nComponents: main\nSigned-By: ${keyring}\n`;
}
