import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SandboxError } from "../../src/errors.ts";
import { runProgram } from "./program.ts";

const PACK_TIMEOUT_MS = 300_000;

/**
 * The archive (gzipped tar, everything below `package/`) of one npm package, fetched with the host's own npm configuration.
 * `integrity` is a Subresource Integrity string with SHA-512; any other content is refused.
 */
export async function packNpmPackage(name: string, version: string, integrity: string): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), "autolith-pack-"));
  try {
    const args = ["pack", `${name}@${version}`, "--pack-destination", folder, "--ignore-scripts", "--loglevel=error"];
    await runProgram("npm", args, { cwd: folder, timeoutMs: PACK_TIMEOUT_MS });
    const [file] = await readdir(folder);
    if (file === undefined) throw new SandboxError(`npm pack ${name}@${version} left no archive`);
    const archive = await readFile(join(folder, file));
    const found = `sha512-${createHash("sha512").update(archive).digest("base64")}`;
    if (found !== integrity) throw new SandboxError(`${name}@${version} is not the locked package: ${found}`);
    return archive;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
