import { homedir } from "node:os";
import { AutolithError } from "../errors.ts";

/** Where a container engine listens. */
export type EngineAddress =
  | { readonly kind: "socket"; readonly path: string }
  | { readonly kind: "http"; readonly host: string; readonly port: number }
  /** `certificates`: a folder with `ca.pem`, `cert.pem` and `key.pem`. */
  | { readonly kind: "https"; readonly host: string; readonly port: number; readonly certificates: string | null }
  | { readonly kind: "ssh"; readonly host: string; readonly port: number; readonly user: string };

/** Docker's own settings of the environment, as values. */
export interface EngineSettings {
  /** `DOCKER_HOST`. */
  readonly dockerHost?: string | undefined;
  /** `DOCKER_TLS_VERIFY` is set to something. */
  readonly tls?: boolean | undefined;
  /** `DOCKER_CERT_PATH`. */
  readonly certificates?: string | undefined;
}

/** Tried in this order without a setting: Docker Desktop's socket of the user, then the system's. */
export function defaultSockets(): readonly string[] {
  return [`${homedir()}/.docker/run/docker.sock`, "/var/run/docker.sock"];
}

/** Reads the setting; null when there is none. Throws `AutolithError` (config) on one that cannot be meant. */
export function engineAddress(settings: EngineSettings): EngineAddress | null {
  const { dockerHost } = settings;
  if (dockerHost === undefined || dockerHost === "") return null;
  const local = /^(?:unix|npipe):\/\/(.+)$/.exec(dockerHost)?.[1];
  if (local !== undefined) return { kind: "socket", path: local };
  const url = URL.parse(dockerHost.includes("://") ? dockerHost : `tcp://${dockerHost}`);
  if (url === null || url.hostname === "") throw misunderstood(dockerHost);
  return remoteAddress(url, settings) ?? raise(misunderstood(dockerHost));
}

/** The address as in `DOCKER_HOST`, for messages. */
export function describeAddress(address: EngineAddress): string {
  if (address.kind === "socket") return `unix://${address.path}`;
  if (address.kind === "ssh")
    return `ssh://${address.user === "" ? "" : `${address.user}@`}${address.host}:${address.port}`;
  return `${address.kind}://${address.host}:${address.port}`;
}

function remoteAddress(url: URL, settings: EngineSettings): EngineAddress | null {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const certificates = settings.certificates ?? null;
  switch (url.protocol) {
    case "tcp:": {
      const tls = settings.tls === true || url.port === "2376";
      const port = Number(url.port || (tls ? 2376 : 2375));
      return tls ? { kind: "https", host, port, certificates } : { kind: "http", host, port };
    }
    case "http:":
      return { kind: "http", host, port: Number(url.port || 80) };
    case "https:":
      return { kind: "https", host, port: Number(url.port || 443), certificates };
    case "ssh:":
      return { kind: "ssh", host, port: Number(url.port || 22), user: decodeURIComponent(url.username) };
    default:
      return null;
  }
}

function misunderstood(dockerHost: string): AutolithError {
  const forms = "unix:///path, tcp://host:port, https://host:port or ssh://user@host";
  return new AutolithError("config", `DOCKER_HOST is ${JSON.stringify(dockerHost)}, which is none of ${forms}`);
}

function raise(error: Error): never {
  throw error;
}
