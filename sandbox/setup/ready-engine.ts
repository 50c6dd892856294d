import { SandboxError } from "../../src/errors.ts";
import { connectEngine, type Engine } from "../../src/sandbox/engine.ts";
import { type EngineAddress, engineAddress } from "../../src/sandbox/engine-address.ts";
import { installDebianPackages } from "./debian-packages.ts";
import { DAEMON_FILES, startDockerd } from "./dockerd.ts";
import { exists } from "./exists.ts";
import { runProgram } from "./program.ts";

const DOCKERD = "/usr/sbin/dockerd";
const SYSTEM_SOCKET = "/var/run/docker.sock";
const SYSTEMD_TIMEOUT_MS = 120_000;
const NEED = "no container engine answers: install Docker Engine and start it, or set DOCKER_HOST";

/** The engine that Docker's settings in the environment name; null when they name none. */
export function engineIn(env: NodeJS.ProcessEnv): EngineAddress | null {
  return engineAddress({
    dockerHost: env["DOCKER_HOST"],
    tls: (env["DOCKER_TLS_VERIFY"] ?? "") !== "",
    certificates: env["DOCKER_CERT_PATH"],
  });
}

/** Connects to the engine at the address, or to the local one when it is null; rejects with `SandboxError`. */
function connect(address: EngineAddress | null): Promise<Engine> {
  return connectEngine(address, new AbortController().signal);
}

/**
 * As `connect`, but a local engine that is not there is installed and started first, where that is ours to do: as root on a
 * Debian-like system.
 */
export async function readyEngine(address: EngineAddress | null): Promise<Engine> {
  try {
    return await connect(address);
  } catch (error) {
    if (!isOurs(address) || !isAbsent(error)) throw error;
  }
  await installDebianPackages(NEED, ["docker.io", "iptables"], DOCKERD);
  if (await exists("/run/systemd/system")) {
    await runProgram("systemctl", ["start", "docker"], { timeoutMs: SYSTEMD_TIMEOUT_MS });
    return connect(address);
  }
  return startDockerd(DOCKERD, [], DAEMON_FILES, () => connect(address));
}

/** An engine that somebody named may live anywhere; only the system's own is started here. */
function isOurs(address: EngineAddress | null): boolean {
  return address === null || (address.kind === "socket" && address.path === SYSTEM_SOCKET);
}

/** Whether nothing listens; no other failure is cured by starting an engine. */
function isAbsent(error: unknown): boolean {
  const cause = error instanceof SandboxError ? error.cause : undefined;
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  return code === "ENOENT" || code === "ECONNREFUSED";
}
