import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type Docker from "dockerode";
import { SandboxError } from "../../src/errors.ts";
import type { BaseRecipe } from "./base-recipe.ts";
import { installDebianPackages } from "./debian-packages.ts";
import type { PackageSources } from "./package-sources.ts";
import { runProgram } from "./program.ts";
import { followProgress } from "./progress.ts";

const DEBOOTSTRAP = "/usr/sbin/debootstrap";
const NEED = "no image registry answers, and there is no debootstrap to make a Debian image from packages";
const BOOTSTRAP_TIMEOUT_MS = 900_000;

/** Caches and pages that nothing in a sandbox reads, as patterns of tar. */
const LEFT_OUT = ["dev/*", "proc/*", "sys/*", "var/cache/apt/*", "var/lib/apt/lists/*", "var/log/*"].concat(
  ["doc", "info", "locale", "man"].map((folder) => `usr/share/${folder}/*`),
);

/**
 * Makes a Debian image, with all packages of the recipe, out of Debian's package archive: no image registry is needed.
 * Needs root and an engine with the host's processor. `tag` is `repository:tag`.
 */
export async function bootstrapDebian(
  docker: Docker,
  recipe: BaseRecipe,
  { mirror, proxies }: PackageSources,
  tag: string,
): Promise<void> {
  await installDebianPackages(NEED, ["debootstrap"], DEBOOTSTRAP);
  const folder = await mkdtemp(join(tmpdir(), "autolith-debian-"));
  try {
    const root = join(folder, "root");
    const args = ["--variant=minbase", `--include=${recipe.packages.join(",")}`, recipe.suite, root];
    if (mirror !== undefined) args.push(mirror);
    await runProgram(DEBOOTSTRAP, args, { env: proxies, timeoutMs: BOOTSTRAP_TIMEOUT_MS });
    await importFolder(docker, root, tag);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function importFolder(docker: Docker, root: string, tag: string): Promise<void> {
  const [repo, version] = tag.split(":");
  const excludes = LEFT_OUT.map((pattern) => `--exclude=./${pattern}`);
  const tar = spawn("tar", ["-C", root, "--numeric-owner", ...excludes, "-c", "."], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [[status]] = await Promise.all([
      once(tar, "close"),
      docker.importImage(tar.stdout, { repo, tag: version }).then((stream) => followProgress(stream, `import ${tag}`)),
    ]);
    if (status !== 0) {
      // The engine took what there was for a whole image.
      await docker.getImage(tag).remove();
      throw new SandboxError(`tar failed with status ${status} while importing ${tag}`);
    }
  } finally {
    tar.kill();
  }
}
