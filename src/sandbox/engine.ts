import { constants } from "node:fs";
import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import Docker from "dockerode";
import { z } from "zod";
import { messageOf, SandboxError } from "../errors.ts";
import { defaultSockets, describeAddress, type EngineAddress } from "./engine-address.ts";
import { untilAborted } from "./until-aborted.ts";

/** A container engine that answered and is fit for sandboxes. */
export interface Engine {
  readonly docker: Docker;
  /** As in `DOCKER_HOST`, for messages. */
  readonly address: string;
  /** The engine's own version, such as `20.10.24`. */
  readonly version: string;
  readonly apiVersion: string;
  readonly cgroupVersion: 1 | 2;
  readonly cpus: number;
  /** Names of the OCI runtimes that it can use. */
  readonly runtimes: readonly string[];
}

const oldestApi = "1.41";
const answerMs = 15_000;

const versionAnswer = z.object({ Version: z.string(), ApiVersion: z.string().regex(/^\d+\.\d+$/) });
const infoAnswer = z.object({
  CgroupVersion: z.string().default("1"),
  NCPU: z.int().positive(),
  Runtimes: z.record(z.string(), z.unknown()).nullish(),
});

/**
 * Connects to the engine at the address, or at the first local socket that exists when it is null, and checks what it can do.
 * Rejects with `SandboxError`, naming the address, when it does not answer or is too old.
 */
export async function connectEngine(address: EngineAddress | null, signal: AbortSignal): Promise<Engine> {
  const known = address ?? (await localSocket());
  const name = describeAddress(known);
  const docker = await client(known);
  const { version, info } = await facts(docker, name, signal);
  if (compareVersions(version.ApiVersion, oldestApi) < 0) {
    throw new SandboxError(
      `the container engine at ${name} speaks API ${version.ApiVersion}; Autolith needs ${oldestApi} or newer (Docker Engine 20.10)`,
    );
  }
  return {
    docker,
    address: name,
    version: version.Version,
    apiVersion: version.ApiVersion,
    cgroupVersion: info.CgroupVersion === "2" ? 2 : 1,
    cpus: info.NCPU,
    runtimes: Object.keys(info.Runtimes ?? {}),
  };
}

/** The image as the engine knows it. */
export interface EngineImage {
  /** Digest of its configuration. */
  readonly id: string;
  readonly architecture: string;
}

/** Gives the image. Rejects with `SandboxError` when the engine lacks the image or the runtime. */
export async function checkEngineHas(
  engine: Engine,
  needed: { image: string; runtime?: string | undefined },
  signal: AbortSignal,
): Promise<EngineImage> {
  if (needed.runtime !== undefined && !engine.runtimes.includes(needed.runtime)) {
    const known = engine.runtimes.join(", ");
    throw new SandboxError(`the engine at ${engine.address} has no runtime ${needed.runtime}; it has: ${known}`);
  }
  const limit = AbortSignal.any([signal, AbortSignal.timeout(answerMs)]);
  try {
    const { Id, Architecture } = await untilAborted(engine.docker.getImage(needed.image).inspect(), limit);
    return { id: Id, architecture: Architecture };
  } catch (error) {
    signal.throwIfAborted();
    if (statusOf(error) !== 404) throw noAnswer(engine.address, error);
    throw new SandboxError(
      `the engine at ${engine.address} has no image ${needed.image}: make it with \`npm run setup\``,
    );
  }
}

/** The HTTP status of an engine's refusal; undefined when there was no answer. */
export function statusOf(error: unknown): number | undefined {
  const status = error instanceof Error && "statusCode" in error ? error.statusCode : undefined;
  return typeof status === "number" ? status : undefined;
}

type Call = (options: { abortSignal: AbortSignal }) => Promise<unknown>;

async function facts(docker: Docker, name: string, signal: AbortSignal) {
  const abortSignal = AbortSignal.any([signal, AbortSignal.timeout(answerMs)]);
  // Both take an abort signal; the typings do not know.
  const version: Call = docker.version.bind(docker);
  const info: Call = docker.info.bind(docker);
  try {
    const [v, i] = await Promise.all([version({ abortSignal }), info({ abortSignal })]);
    return { version: versionAnswer.parse(v), info: infoAnswer.parse(i) };
  } catch (error) {
    signal.throwIfAborted();
    throw noAnswer(name, error);
  }
}

function noAnswer(name: string, error: unknown): SandboxError {
  const hints: Record<string, string> = {
    ENOENT: "is Docker installed and running?",
    ECONNREFUSED: "is Docker running?",
    EACCES: "may this user open it?",
  };
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const why = error instanceof z.ZodError ? "it does not answer like Docker" : messageOf(error).trim();
  return new SandboxError(
    `the container engine at ${name} cannot be used: ${why}; ${hints[code] ?? "is DOCKER_HOST right?"}`,
    {
      cause: error,
    },
  );
}

async function localSocket(): Promise<EngineAddress> {
  const sockets = defaultSockets();
  for (const path of sockets) {
    const found = await access(path, constants.F_OK).then(
      () => true,
      () => false,
    );
    if (found) return { kind: "socket", path };
  }
  return { kind: "socket", path: sockets.at(-1) ?? "" };
}

/** Every option is given, also as undefined: what is left out, dockerode reads from the environment of the process. */
async function client(address: EngineAddress): Promise<Docker> {
  const none = { ca: undefined, cert: undefined, key: undefined, username: undefined, timeout: undefined };
  const local = { host: undefined, port: undefined, socketPath: undefined };
  if (address.kind === "socket") return new Docker({ ...none, ...local, protocol: "http", socketPath: address.path });
  const { host, port, kind: protocol } = address;
  const remote = { ...none, socketPath: undefined, host, port, protocol };
  if (address.kind === "ssh") return new Docker({ ...remote, username: address.user });
  return new Docker(address.kind === "https" ? { ...remote, ...(await certificates(address.certificates)) } : remote);
}

async function certificates(folder: string | null) {
  if (folder === null) return {};
  try {
    const [ca, cert, key] = await Promise.all(
      ["ca.pem", "cert.pem", "key.pem"].map((name) => readFile(join(folder, name))),
    );
    return { ca, cert, key };
  } catch (error) {
    throw new SandboxError(`the certificates for the container engine cannot be read: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

function compareVersions(left: string, right: string): number {
  const [a = [], b = []] = [left, right].map((version) => version.split(".").map(Number));
  return (a[0] ?? 0) - (b[0] ?? 0) || (a[1] ?? 0) - (b[1] ?? 0);
}
