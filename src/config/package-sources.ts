import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { readSettingsFile } from "./settings-file.ts";

/**
 * Where this host gets packages from, so that installs in containers get them from there too. Holds no credentials: names, passwords and
 * tokens are left out of every address, and a source that cannot be had without them is then not had at all.
 */
export interface PackageSources {
  /** npm's registry; undefined leaves it to npm. */
  readonly registry: string | undefined;
  /** Registries of single scopes, by `@scope`. */
  readonly scopes: Readonly<Record<string, string>>;
  /** pip's index; undefined leaves it to pip. */
  readonly index: string | undefined;
  readonly moreIndexes: readonly string[];
  readonly trustedHosts: readonly string[];
  readonly proxies: { readonly http?: string; readonly https?: string; readonly except?: string };
  /** Certificates that the host trusts besides the usual ones, in PEM; empty when no setting names any. */
  readonly certificates: string;
}

/** Reads npm's and pip's settings of the user and of the machine, and the usual variables for proxies and certificates. */
export function readPackageSources(environment: NodeJS.ProcessEnv = process.env): PackageSources {
  const npm = npmSettings(environment);
  const pip = pipSettings(environment);
  const value = (...names: readonly string[]) => names.map((name) => environment[name]).find((each) => each);
  const http = address(value("http_proxy", "HTTP_PROXY") ?? npm("proxy"));
  const https = address(value("https_proxy", "HTTPS_PROXY") ?? npm("https-proxy"));
  const except = value("no_proxy", "NO_PROXY") ?? npm("noproxy");
  const [index, ...more] = [...addresses(pip("index-url") ?? ""), ...addresses(pip("extra-index-url") ?? "")];
  const hasIndex = address(pip("index-url")) !== undefined;
  return {
    registry: address(npm("registry")),
    scopes: npm.scopes,
    index: hasIndex ? index : undefined,
    moreIndexes: hasIndex || index === undefined ? more : [index, ...more],
    trustedHosts: (pip("trusted-host") ?? "").split(/\s+/).filter((host) => host !== ""),
    proxies: { ...(http && { http }), ...(https && { https }), ...(except && { except }) },
    certificates: certificates([
      ...[npm("cafile"), pip("cert"), environment["NODE_EXTRA_CA_CERTS"], environment["SSL_CERT_FILE"]],
      ...[environment["REQUESTS_CA_BUNDLE"], environment["CURL_CA_BUNDLE"]],
    ]),
  };
}

type Lookup = (name: string) => string | undefined;

/** Variables go before the user's file, and that before the machine's, as `npm help npmrc` says. */
function npmSettings(environment: NodeJS.ProcessEnv): Lookup & { readonly scopes: Readonly<Record<string, string>> } {
  const variables = new Map(
    Object.entries(environment).flatMap(([name, value]) =>
      value && /^npm_config_/i.test(name) ? [[name.slice(11).toLowerCase().replaceAll("_", "-"), value]] : [],
    ),
  );
  const home = environment["HOME"] ?? homedir();
  const paths = [variables.get("userconfig") ?? join(home, ".npmrc"), variables.get("globalconfig")];
  const files = [...paths, "/etc/npmrc", "/usr/etc/npmrc", "/usr/local/etc/npmrc"].flatMap((path) =>
    path === undefined ? [] : [readSettingsFile(path).get("")],
  );
  const lookup: Lookup = (name) => variables.get(name) ?? files.map((file) => file?.get(name)).find(Boolean);
  const named = files.toReversed().flatMap((file) => [...(file ?? [])]);
  const scopes = named.flatMap(([name, value]) => {
    const scope = /^(@[\w.-]+):registry$/.exec(name)?.[1];
    const registry = address(value);
    return scope === undefined || registry === undefined ? [] : [[scope, registry] as const];
  });
  return Object.assign(lookup, { scopes: Object.fromEntries(scopes) });
}

/** Variables go before the user's file, and that before the machine's: https://pip.pypa.io/en/stable/topics/configuration/ */
function pipSettings(environment: NodeJS.ProcessEnv): Lookup {
  const home = environment["HOME"] ?? homedir();
  const own = join(environment["XDG_CONFIG_HOME"] ?? join(home, ".config"), "pip", "pip.conf");
  const paths = [
    environment["PIP_CONFIG_FILE"],
    own,
    join(home, ".pip", "pip.conf"),
    "/etc/xdg/pip/pip.conf",
    "/etc/pip.conf",
  ];
  const files = paths.flatMap((path) => (path === undefined ? [] : [readSettingsFile(path)]));
  const sections = files.flatMap((file) => [file.get("install"), file.get("global")]);
  return (name) =>
    environment[`PIP_${name.toUpperCase().replaceAll("-", "_")}`] ||
    sections.map((section) => section?.get(name)).find(Boolean);
}

function addresses(text: string): string[] {
  return text.split(/\s+/).flatMap((each) => address(each) ?? []);
}

/** An address without credentials; undefined for one that no other machine can reach by HTTP. */
function address(text: string | undefined): string | undefined {
  if (text === undefined || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") return undefined;
  url.username = "";
  url.password = "";
  url.search = "";
  url.hash = "";
  return url.href;
}

/** Certificates only: a bundle may hold a key as well. */
function certificates(paths: readonly (string | undefined)[]): string {
  const blocks = [...new Set(paths)].flatMap((path) => {
    try {
      return path?.startsWith("/") ? (readFileSync(path, "utf8").match(certificate) ?? []) : [];
    } catch {
      return [];
    }
  });
  return [...new Set(blocks)].map((block) => `${block}\n`).join("");
}

const certificate = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;
