import { appendFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { installDebianPackages } from "./debian-packages.ts";
import { exists } from "./exists.ts";
import { runProgram } from "./program.ts";

const NEED = "there is no PostgreSQL server for the tests of the store";
const DEBIAN_VERSIONS = "/usr/lib/postgresql";

/** The folder with `initdb` and `postgres`, undefined when this host has no PostgreSQL server. */
export async function findPostgresql(): Promise<string | undefined> {
  const told = await runProgram("pg_config", ["--bindir"], { timeoutMs: 10_000 }).catch(() => "");
  // Debian keeps the server's programs off the path, and pg_config may belong to a client of another version.
  const versions = await readdir(DEBIAN_VERSIONS).catch(() => []);
  const newestFirst = versions
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(DEBIAN_VERSIONS, version, "bin"));
  for (const folder of [told.trim(), ...newestFirst, "/usr/local/pgsql/bin", "/usr/local/bin", "/opt/homebrew/bin"]) {
    if (folder !== "" && (await exists(join(folder, "initdb"))) && (await exists(join(folder, "postgres"))))
      return folder;
  }
  return undefined;
}

/**
 * Makes sure that this host has the programs of a PostgreSQL server, by installing Debian's where that is ours to do.
 * Only the programs: Debian would also make a cluster and run it, which is switched off for an installation of ours.
 */
export async function ensurePostgresql(): Promise<string> {
  const found = await findPostgresql();
  if (found !== undefined) return found;
  await installDebianPackages(NEED, ["postgresql-common"], "/usr/bin/pg_lsclusters");
  await appendFile("/etc/postgresql-common/createcluster.conf", "create_main_cluster = false\n");
  // Where the programs will lie depends on the version, so this names a path that never is there.
  await installDebianPackages(NEED, ["postgresql"], join(DEBIAN_VERSIONS, "bin/postgres"));
  const installed = await findPostgresql();
  if (installed === undefined) throw new Error(`the package postgresql left no server below ${DEBIAN_VERSIONS}`);
  return installed;
}
