import { SandboxError } from "../errors.ts";
import { type DockerSandboxOptions, startDockerSandbox } from "./docker-sandbox.ts";
import type { LayerVolumes } from "./layer-volumes.ts";
import type { SandboxLimits } from "./limits.ts";
import type { InstallSandbox, Sandbox, SandboxSession, Sealed } from "./sandbox.ts";

/**
 * Starts the throw-away container in which a layer is made, with network and without any secret. Rejects with `SandboxError`, and with
 * the signal's reason when aborted; nothing is left then.
 */
export async function startInstallSandbox(
  options: Omit<DockerSandboxOptions, "layer">,
  { volumes, key, largest }: Omit<Draft, "volume">,
  signal: AbortSignal,
): Promise<InstallSandbox> {
  const volume = await volumes.draft(key, signal);
  try {
    const sandbox = await startDockerSandbox({ ...options, layer: { kind: "make", volume, key } }, signal);
    return withSeal(sandbox, { volumes, key, largest, volume });
  } catch (error) {
    await volumes.remove(volume);
    throw error;
  }
}

interface Draft {
  readonly volumes: LayerVolumes;
  readonly key: string;
  /** Limits of the sandboxes that are to hold the layer. */
  readonly largest: Pick<SandboxLimits, "workspaceBytes" | "workspaceFiles">;
  readonly volume: string;
}

function withSeal(
  sandbox: Awaited<ReturnType<typeof startDockerSandbox>>,
  { volumes, key, largest, volume }: Draft,
): InstallSandbox {
  let kept = false;
  async function dispose(): Promise<void> {
    await sandbox[Symbol.asyncDispose]();
    if (!kept) await volumes.remove(volume);
  }
  async function seal(signal: AbortSignal): Promise<Sealed> {
    const { problem, files, bytes, key: sealed } = await sandbox.seal(key, signal);
    if (problem !== null) return { kind: "unfit", problem };
    if (bytes > largest.workspaceBytes || files > largest.workspaceFiles)
      return { kind: "unfit", problem: tooLarge({ bytes, files }) };
    if (sealed !== key) throw new SandboxError("the supervisor sealed another layer than it was asked to");
    await sandbox[Symbol.asyncDispose]();
    const layer = await volumes.keep({ key, volume, files, bytes }, signal);
    kept = layer.volume === volume;
    return { kind: "sealed", layer };
  }
  return { ...sessionOf(sandbox), seal, [Symbol.asyncDispose]: dispose };
}

function tooLarge({ bytes, files }: { readonly bytes: number; readonly files: number }): string {
  return `${files} files of ${Math.ceil(bytes / 2 ** 20)} MiB were installed, more than the workspace of a sandbox may hold`;
}

function sessionOf(sandbox: Sandbox): SandboxSession {
  return {
    facts: sandbox.facts,
    put: (files, options, signal) => sandbox.put(files, options, signal),
    remove: (paths, signal) => sandbox.remove(paths, signal),
    list: (signal) => sandbox.list(signal),
    stat: (paths, signal) => sandbox.stat(paths, signal),
    get: (path, maxBytes, signal) => sandbox.get(path, maxBytes, signal),
    execute: (request, signal) => sandbox.execute(request, signal),
    run: (request, signal) => sandbox.run(request, signal),
    sweep: (signal) => sandbox.sweep(signal),
  };
}
