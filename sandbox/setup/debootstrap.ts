import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type Docker from "dockerode";
import { installDebianPackages } from "./apt.ts";
import type { BaseRecipe } from "./base-recipe.ts";
import { hostNetwork } from "./host-network.ts";
import { hostMirror } from "./mirror.ts";
import { runProgram } from "./program.ts";
import { followProgress } from "./progress.ts";

const BOOTSTRAP_TIMEOUT_MS = 900_000;

/** Caches and pages that nothing in a sandbox reads, as patterns of tar. */
const LEFT_OUT = ["dev/*", "proc/*", "sys/*", "var/cache/apt/*", "var/lib/apt/lists/*", "var/log/*"].concat(
  ["doc", "info", "locale", "man"].map((folder) => `usr/share/${folder}/*`),
);

/**
 * Makes a Debian image, with all packages of the recipe, out of Debian's package archive: no image registry is needed.
 * Needs root, apt on the host, and an engine with the host's processor. `tag` is `repository:tag`.
 */
export async function bootstrapDebian(docker: Docker, recipe: BaseRecipe, tag: string): Promise<void> {
  await installDebianPackages(["debootstrap"], "/usr/sbin/debootstrap");
  const folder = await mkdtemp(join(tmpdir(), "autolith-debian-"));
  try {
    const root = join(folder, "root");
    const mirror = await hostMirror();
    const { proxies } = await hostNetwork();
    const options = ["--variant=minbase", `--include=${recipe.packages.join(",")}`];
    await runProgram("/usr/sbin/debootstrap", [...options, recipe.suite, root, ...(mirror ? [mirror] : [])], {
      env: proxies,
      timeoutMs: BOOTSTRAP_TIMEOUT_MS,
    });
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
  const { promise: packed, resolve, reject } = Promise.withResolvers<void>();
  tar.on("error", reject);
  tar.on("close", (status) => (status === 0 ? resolve() : reject(new Error(`tar failed with status ${status}`))));
  const imported = docker.importImage(tar.stdout, { repo, tag: version });
  await Promise.all([packed, imported.then((stream) => followProgress(stream, "import Debian"))]);
}
