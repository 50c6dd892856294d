import type { Duplex } from "node:stream";
import type { Container } from "dockerode";
import type { z } from "zod";
import { messageOf, SandboxError } from "../errors.ts";
import { Channel } from "./channel.ts";
import type { ContainerLabels } from "./container-labels.ts";
import { containerSpec, type LayerUse } from "./container-spec.ts";
import { DockerSession } from "./docker-session.ts";
import { type Engine, statusOf } from "./engine.ts";
import type { SandboxLimits } from "./limits.ts";
import { bareDone, helloDone, protocolVersion, sealDone } from "./protocol.ts";
import { removeContainer } from "./remove-container.ts";
import type { Sandbox } from "./sandbox.ts";
import { untilAborted } from "./until-aborted.ts";

export interface DockerSandboxOptions {
  readonly engine: Engine;
  readonly image: string;
  readonly limits: SandboxLimits;
  /** OCI runtime such as `runsc`; the engine's default when undefined. */
  readonly runtime?: string | undefined;
  readonly labels: ContainerLabels;
  readonly layer?: (LayerUse & { readonly key: string }) | undefined;
}

/** Each step of a start on a slow machine; a start takes well under a second on a fast one. */
const stepMs = 30_000;

const byeMs = 1_000;

/** Looking at every file of a layer, on a slow machine. */
const sealMs = 300_000;

/** From an interrupt to the answer: the supervisor waits one second for the interrupt to be obeyed. */
const interruptMs = 1_000;

/** Without these, code in the sandbox could reach into the supervisor and state results itself. */
const requiredHardening = ["non-dumpable", "seccomp"];

/**
 * Starts a container, which has a network only when it makes a layer, and greets its supervisor. Rejects with `SandboxError` when that
 * fails and with the signal's reason when aborted; the container is removed in either case.
 */
export async function startDockerSandbox(options: DockerSandboxOptions, signal: AbortSignal): Promise<DockerSandbox> {
  signal.throwIfAborted();
  const container = await create(options, signal);
  try {
    const channel = await attach(container, options.limits, signal);
    await step(container.start(), signal);
    const hello = await greet(channel, options, signal);
    return new DockerSandbox(container, channel, hello, options.limits);
  } catch (error) {
    await removeContainer(container);
    signal.throwIfAborted();
    throw startError(error, options);
  }
}

/** A session together with the container that it lives in. */
export class DockerSandbox extends DockerSession implements Sandbox {
  readonly #container: Container;
  readonly #channel: Channel;
  #removal: Promise<unknown> | undefined;

  constructor(container: Container, channel: Channel, hello: z.infer<typeof helloDone>, limits: SandboxLimits) {
    const facts = {
      protocol: hello.protocol,
      pythonVersion: hello.python,
      nodeVersion: hello.node,
      cgroupVersion: hello.cgroup,
      memoryLimitBytes: hello.memoryLimit,
      containerId: container.id,
    };
    super(channel, facts, limits);
    this.#container = container;
    this.#channel = channel;
    channel.closed.addEventListener("abort", () => void this.#remove(), { once: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#channel.busy) await this.#sayBye();
    this.#channel.close(new SandboxError("the sandbox was disposed of"));
    await this.#remove();
  }

  /** Leaves only what an install made in the layer; gives its size. Kills everything. */
  seal(key: string, signal: AbortSignal): Promise<z.infer<typeof sealDone>> {
    const seal = { verb: "seal", fields: { key }, done: sealDone, silenceMs: sealMs, interruptible: false };
    return this.#channel.request(seal, signal);
  }

  async #sayBye(): Promise<void> {
    const bye = { verb: "bye", fields: {}, done: bareDone, silenceMs: byeMs, interruptible: false };
    await this.#channel.request(bye, AbortSignal.timeout(byeMs)).catch(() => undefined);
  }

  #remove(): Promise<unknown> {
    this.#removal ??= removeContainer(this.#container);
    return this.#removal;
  }
}

/** An aborted request may still create a container, so it is never aborted: one that comes too late is removed. */
async function create(options: DockerSandboxOptions, signal: AbortSignal): Promise<Container> {
  const { engine } = options;
  const creating = engine.docker.createContainer(containerSpec({ ...options, engineCpus: engine.cpus }));
  try {
    return await step(creating, signal);
  } catch (error) {
    creating.then(removeContainer, () => undefined);
    signal.throwIfAborted();
    throw startError(error, options);
  }
}

/** The channel listens to the stream from its first moment, also when nobody waits for it any more. */
async function attach(container: Container, limits: SandboxLimits, signal: AbortSignal): Promise<Channel> {
  const streams = { stream: true, stdin: true, stdout: true, stderr: true };
  // Hijacking gives the bare socket, which is a Duplex; dockerode's other stream neither half-closes nor waits for the reader.
  const attaching = container
    .attach({ ...streams, hijack: true })
    .then((stream) => new Channel(stream as Duplex, interruptMs + limits.graceMs));
  return await step(attaching, signal);
}

async function greet(
  channel: Channel,
  { limits, layer }: DockerSandboxOptions,
  signal: AbortSignal,
): Promise<z.infer<typeof helloDone>> {
  const fields = {
    protocol: protocolVersion,
    layer: layer?.kind ?? "none",
    limits: {
      outputHead: limits.outputHeadBytes,
      outputTail: limits.outputTailBytes,
      outputTotal: limits.outputTotalBytes,
      reportBytes: limits.reportBytes,
      workspaceBytes: limits.workspaceBytes,
      workspaceFiles: limits.workspaceFiles,
    },
  };
  const exchange = { verb: "hello", fields, done: helloDone, silenceMs: stepMs, interruptible: false };
  const hello = await channel.request(exchange, signal);
  const missing = requiredHardening.filter((measure) => !hello.hardening.includes(measure));
  if (missing.length > 0)
    throw new SandboxError(`the supervisor could not protect itself (${missing.join(", ")} missing)`);
  // The engine makes an empty volume in the place of one that was removed a moment ago.
  if (layer?.kind === "read" && hello.layer?.key !== layer.key)
    throw new SandboxError(`the layer ${layer.volume} is gone`);
  return hello;
}

function step<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return untilAborted(promise, AbortSignal.any([signal, AbortSignal.timeout(stepMs)]));
}

function startError(error: unknown, { engine, image }: DockerSandboxOptions): SandboxError {
  if (error instanceof SandboxError) return error;
  const why =
    statusOf(error) === 404 ? `there is no image ${image}: make it with \`npm run setup\`` : messageOf(error).trim();
  return new SandboxError(`no sandbox could be started by the engine at ${engine.address}: ${why}`, { cause: error });
}
