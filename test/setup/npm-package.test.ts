import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { packNpmPackage } from "../../sandbox/setup/npm-package.ts";
import { writeProject } from "./small-project.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** Serves one package as an npm registry does, and makes npm ask it. Gives the archive and its integrity. */
async function registryWith(name: string, version: string): Promise<{ archive: Buffer; integrity: string }> {
  const folder = await temporaryFolder();
  await writeProject(folder, { dependencies: { [name]: version } });
  const archive = await readFile(join(folder, `packages/${name}-${version}.tgz`));
  const lockfile = JSON.parse(await readFile(join(folder, "package-lock.json"), "utf8"));
  const { integrity } = lockfile.packages[`node_modules/${name}`];
  const server = createServer((request, response) => {
    if (request.url?.endsWith(".tgz")) return response.end(archive);
    const dist = { tarball: `${address()}/${name}.tgz`, integrity };
    const versions = { [version]: { name, version, dist } };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ name, "dist-tags": { latest: version }, versions }));
  });
  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  vi.stubEnv("npm_config_registry", address());
  vi.stubEnv("npm_config_cache", folder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    server.closeAllConnections();
    server.close();
  });
  return { archive, integrity };
}

test("fetches a package with the host's npm, as it lies in the registry", async () => {
  const { archive, integrity } = await registryWith("left", "1.0.0");
  expect(await packNpmPackage("left", "1.0.0", integrity)).toEqual(archive);
});

test("refuses a package that is not the locked one, even when the registry vouches for it", async () => {
  await registryWith("left", "1.0.0");
  const locked = `sha512-${Buffer.alloc(64).toString("base64")}`;
  await expect(packNpmPackage("left", "1.0.0", locked)).rejects.toThrow("left@1.0.0 is not the locked package");
});

test("passes on what npm says when there is no such version", async () => {
  const { integrity } = await registryWith("left", "1.0.0");
  await expect(packNpmPackage("left", "9.9.9", integrity)).rejects.toThrow(/npm pack failed with status 1: .*ETARGET/s);
});
