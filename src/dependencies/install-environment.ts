import type { PackageSources } from "../config/package-sources.ts";
import type { WorkspaceFile } from "../sandbox/sandbox.ts";
import { kept, scratch } from "./install-plan.ts";

const folder = ".autolith";
const bundle = `${kept}/certificates.pem`;
const path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

const scratchFolders = ["home", "tmp"].map((name) => `${scratch}/${name}`);

/** What installs are told of the host: addresses and certificates, and nothing that is secret. Thrown away with the container. */
export function sourceFiles(sources: PackageSources): WorkspaceFile[] {
  const npmrc = Object.entries(sources.scopes).map(([scope, registry]) => `${scope}:registry=${registry}\n`);
  const file = (name: string, text: string): WorkspaceFile => {
    return { path: `${folder}/${name}`, kind: "file", executable: false, bytes: Buffer.from(text) };
  };
  return [file("npmrc", npmrc.join("")), file("host.pem", sources.certificates)];
}

/** Lays the host's certificates beside those of the image, and makes the folders for what is thrown away. */
export function prepareCommand(): readonly string[] {
  const script =
    'bundle=$1; shift; mkdir -p "$@" && cat /etc/ssl/certs/ca-certificates.crt /work/.autolith/host.pem > "$bundle"';
  return ["sh", "-ec", script, "prepare", bundle, ...scratchFolders];
}

/** The environment of every program of an install. */
export function installEnvironment(sources: PackageSources): Record<string, string> {
  const [home = "", temporary = ""] = scratchFolders;
  return {
    PATH: path,
    HOME: home,
    TMPDIR: temporary,
    CI: "true",
    NO_COLOR: "1",
    ...certificateVariables(),
    ...proxyVariables(sources.proxies),
    ...npmVariables(sources),
    ...pipVariables(sources),
  };
}

function certificateVariables(): Record<string, string> {
  const names = [
    "NODE_EXTRA_CA_CERTS",
    "SSL_CERT_FILE",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
    "GIT_SSL_CAINFO",
    "PIP_CERT",
  ];
  return Object.fromEntries([...names, "npm_config_cafile", "YARN_HTTPS_CA_FILE_PATH"].map((name) => [name, bundle]));
}

function proxyVariables({ http, https, except }: PackageSources["proxies"]): Record<string, string> {
  const named = {
    http_proxy: http,
    https_proxy: https,
    no_proxy: except,
    YARN_HTTP_PROXY: http,
    YARN_HTTPS_PROXY: https,
  };
  const set = Object.entries(named).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  const upper = set
    .filter(([name]) => name.endsWith("_proxy"))
    .map(([name, value]) => [name.toUpperCase(), value] as const);
  return Object.fromEntries([...set, ...upper]);
}

function npmVariables({ registry }: PackageSources): Record<string, string> {
  const quiet = { npm_config_audit: "false", npm_config_fund: "false", npm_config_update_notifier: "false" };
  const places = { npm_config_userconfig: `${kept}/npmrc`, npm_config_cache: `${scratch}/npm` };
  const common = { ...quiet, ...places, npm_config_progress: "false", npm_config_engine_strict: "false" };
  if (registry === undefined) return common;
  const insecure = registry.startsWith("http:") ? { YARN_UNSAFE_HTTP_WHITELIST: new URL(registry).hostname } : {};
  const plain = registry.replace(/\/$/, "");
  return {
    ...common,
    ...insecure,
    npm_config_registry: registry,
    YARN_REGISTRY: plain,
    YARN_NPM_REGISTRY_SERVER: plain,
  };
}

function pipVariables({ index, moreIndexes, trustedHosts }: PackageSources): Record<string, string> {
  const lists = { PIP_EXTRA_INDEX_URL: moreIndexes.join(" "), PIP_TRUSTED_HOST: trustedHosts.join(" ") };
  return {
    ...{ PIP_NO_INPUT: "1", PIP_DISABLE_PIP_VERSION_CHECK: "1", PIP_PROGRESS_BAR: "off" },
    PIP_CACHE_DIR: `${scratch}/pip`,
    ...(index === undefined ? {} : { PIP_INDEX_URL: index }),
    ...Object.fromEntries(Object.entries(lists).filter(([, value]) => value !== "")),
  };
}
