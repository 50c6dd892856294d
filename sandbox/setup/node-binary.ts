import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { createGunzip } from "node:zlib";
import { extract } from "tar-stream";
import { z } from "zod";
import { SandboxError } from "../../src/errors.ts";
import { packNpmPackage } from "./npm-package.ts";

/** Node's name for a processor, by the names that engines report. */
const PROCESSORS: Readonly<Record<string, string>> = { x86_64: "x64", amd64: "x64", aarch64: "arm64", arm64: "arm64" };

const Lockfile = z.object({
  packages: z.record(z.string(), z.object({ version: z.string().optional(), integrity: z.string().optional() })),
});

/**
 * Node's binary for the engine's processor (`architecture` as in the engine's own words), in the version and with the content
 * that `package-lock.json` names: from the installed packages where they hold it, else fetched with npm.
 */
export async function nodeBinary(root: string, architecture: string): Promise<Buffer> {
  const processor = PROCESSORS[architecture];
  if (processor === undefined) throw new SandboxError(`no sandbox image can be made for a ${architecture} engine`);
  const name = `node-linux-${processor}`;
  const installed = join(root, "node_modules", name, "bin", "node");
  const lockfile = Lockfile.parse(JSON.parse(await readFile(join(root, "package-lock.json"), "utf8")));
  const locked = lockfile.packages[`node_modules/${name}`];
  if (locked?.version === undefined || locked.integrity === undefined) {
    throw new SandboxError(`package-lock.json does not lock ${name}`);
  }
  try {
    return await readFile(installed);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  return fileInArchive(await packNpmPackage(name, locked.version, locked.integrity), "package/bin/node");
}

async function fileInArchive(archive: Buffer, wanted: string): Promise<Buffer> {
  for await (const entry of Readable.from([archive]).pipe(createGunzip()).pipe(extract())) {
    if (entry.header.name === wanted) return buffer(entry);
    entry.resume();
  }
  throw new SandboxError(`${wanted} is missing in the package`);
}
