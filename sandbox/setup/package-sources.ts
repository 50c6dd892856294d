import { readFile } from "node:fs/promises";
import { hostMirror } from "./mirror.ts";
import { runProgram } from "./program.ts";

/** How this host reaches packages, for image builds that have to do the same. */
export interface PackageSources {
  /** The site with Debian's packages; undefined leaves the choice to the tools' own defaults. */
  readonly mirror: string | undefined;
  /** The certificates that the host trusts, in PEM; undefined when no setting names a bundle. */
  readonly certificates: Buffer | undefined;
  /** `http_proxy` and the like, as environment names and values. Docker keeps these names out of an image's history. */
  readonly proxies: Readonly<Record<string, string>>;
}

/** Reads the settings of apt, npm and the environment; a program that the host lacks has no settings. */
export async function packageSources(env: NodeJS.ProcessEnv = process.env): Promise<PackageSources> {
  const [apt, npm, mirror] = await Promise.all([
    settings("apt-config", ["dump"]),
    settings("npm", ["config", "get", "cafile", "--loglevel=silent"]),
    hostMirror(),
  ]);
  const named = [
    aptSetting(apt, "Acquire::https::CAInfo"),
    npm.trim(),
    env["NODE_EXTRA_CA_CERTS"],
    env["SSL_CERT_FILE"],
  ];
  const bundle = named.find((path) => path?.startsWith("/"));
  const certificates = bundle === undefined ? undefined : await readFile(bundle);
  return { mirror, certificates, proxies: proxySettings(apt, env) };
}

/** The value of one setting in the output of `apt-config dump`, undefined when it is unset or empty. */
export function aptSetting(dump: string, name: string): string | undefined {
  const line = dump.split("\n").find((candidate) => candidate.startsWith(`${name} "`));
  return line?.slice(name.length + 2, line.lastIndexOf('"')) || undefined;
}

/** apt's own proxy setting goes before the environment's, as it does in apt, where `DIRECT` means none. */
export function proxySettings(aptDump: string, env: NodeJS.ProcessEnv): Record<string, string> {
  const proxies: Record<string, string> = {};
  for (const scheme of ["http", "https", "no"]) {
    const name = `${scheme}_proxy`;
    const value = aptSetting(aptDump, `Acquire::${scheme}::Proxy`) ?? env[name] ?? env[name.toUpperCase()];
    if (value && value !== "DIRECT") proxies[name] = value;
  }
  return proxies;
}

async function settings(program: string, args: readonly string[]): Promise<string> {
  return runProgram(program, args, { timeoutMs: 30_000 }).catch(() => "");
}
