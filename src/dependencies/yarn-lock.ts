/** A package's archive below a registry: `name/-/name-1.0.0.tgz`, with the hash that Yarn writes behind it. */
const resolved = /^( {2}resolved ")https?:\/\/[^"\s]+?\/((?:@[^/"\s]+\/|@[^/"\s]+%2[fF])?[^/"\s]+\/-\/[^"\s]+")$/gm;

/**
 * A lockfile of Yarn 1 with the archives' addresses at the registry that this host uses: Yarn asks no other than the one
 * that the lockfile was written with. What it gets is held against the lockfile's own hashes as ever.
 */
export function atRegistry(lockfile: string, registry: string): string {
  return lockfile.replace(resolved, `$1${registry.replace(/\/$/, "").replaceAll("$", "$$$$")}/$2`);
}
