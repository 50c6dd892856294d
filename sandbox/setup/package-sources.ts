import { readFile } from "node:fs/promises";
import { runProgram } from "./program.ts";

/** How this host reaches package sources, for builds that have to do the same. */
export interface HostNetwork {
  /** Certificates that the host trusts beyond a fresh Debian's, in PEM; undefined when nothing names a bundle. */
  readonly certificates: Buffer | undefined;
  /** `http_proxy` and the like, as environment names and values. */
  readonly proxies: Readonly<Record<string, string>>;
}

const PROXY_NAMES = ["http_proxy", "https_proxy", "no_proxy"] as const;

/** Reads the settings of apt, npm and the environment; what is not set is left out. */
export async function hostNetwork(env: NodeJS.ProcessEnv = process.env): Promise<HostNetwork> {
  const [apt, npm] = await Promise.all([
    output("apt-config", ["dump"]),
    output("npm", ["config", "get", "cafile", "--loglevel=silent"]),
  ]);
  const bundles = [
    aptSetting(apt, "Acquire::https::CAInfo"),
    npm.trim(),
    env["NODE_EXTRA_CA_CERTS"],
    env["SSL_CERT_FILE"],
  ];
  const bundle = bundles.find((path) => path !== undefined && path.startsWith("/"));
  return { certificates: bundle === undefined ? undefined : await readFile(bundle), proxies: proxySettings(apt, env) };
}

/** The value of one setting in the output of `apt-config dump`, undefined when it is unset or empty. */
export function aptSetting(dump: string, name: string): string | undefined {
  const line = dump.split("\n").find((candidate) => candidate.startsWith(`${name} "`));
  return line?.slice(name.length + 2, -2) || undefined;
}

/** apt's own proxy setting wins over the environment, as it does in apt; `DIRECT` is apt's word for none. */
export function proxySettings(aptDump: string, env: NodeJS.ProcessEnv): Record<string, string> {
  const proxies: Record<string, string> = {};
  for (const name of PROXY_NAMES) {
    const scheme = name.slice(0, name.indexOf("_"));
    const value = aptSetting(aptDump, `Acquire::${scheme}::Proxy`) ?? env[name] ?? env[name.toUpperCase()];
    if (value && value !== "DIRECT") proxies[name] = value;
  }
  return proxies;
}

async function output(program: string, args: readonly string[]): Promise<string> {
  try {
    return await runProgram(program, args, { timeoutMs: 30_000 });
  } catch {
    return "";
  }
}
