import { startDockerSandbox } from "./docker-sandbox.ts";
import { checkEngineHas, connectEngine } from "./engine.ts";
import { type EngineSettings, engineAddress } from "./engine-address.ts";
import { sandboxImage } from "./image.ts";
import { startInstallSandbox } from "./install-sandbox.ts";
import { LayerVolumes } from "./layer-volumes.ts";
import type { SandboxLimits } from "./limits.ts";
import { currentProcess } from "./process-identity.ts";
import { reapAbandoned } from "./reaper.ts";
import type { Sandboxes } from "./sandbox.ts";

export interface SandboxStarterOptions {
  readonly engine: EngineSettings;
  /** Undefined: the image that belongs to this version. */
  readonly image: string | undefined;
  /** OCI runtime such as `runsc`; undefined: the engine's default. */
  readonly runtime: string | undefined;
  readonly limits: SandboxLimits;
  /** Whose the containers are: kept across restarts by a service, fresh for each local run. */
  readonly instance: string;
  readonly run: string;
  /** Whose the layers are: kept across runs, so the same for each. Layers are shared within it only. */
  readonly layersOf: string;
}

/**
 * Connects to the engine, checks that it can do what is asked, removes what dead processes left there, and gives the functions
 * that start sandboxes. Rejects with `SandboxError`.
 */
export async function sandboxStarter(options: SandboxStarterOptions, signal: AbortSignal): Promise<Sandboxes> {
  const engine = await connectEngine(engineAddress(options.engine), signal);
  const image = options.image ?? (await sandboxImage());
  const { id, architecture } = await checkEngineHas(engine, { image, runtime: options.runtime }, signal);
  const owner = await currentProcess();
  await reapAbandoned(engine, owner, () => new Date(), signal);
  const { limits, runtime, instance, run, layersOf } = options;
  const common = { engine, image, limits, runtime };
  const labels = { instance, run, role: "run", owner };
  const volumes = new LayerVolumes(engine, { labels, layersOf });
  return {
    platform: { owner: layersOf, image: id, architecture },
    starter: (layer) => {
      const use = layer === null ? {} : { layer: { kind: "read" as const, volume: layer.volume, key: layer.key } };
      return (startSignal) => startDockerSandbox({ ...common, ...use, labels }, startSignal);
    },
    findLayer: (key, findSignal) => volumes.find(key, findSignal),
    startInstall: (key, startSignal) =>
      startInstallSandbox(
        { ...common, limits: forInstalls(limits), labels: { ...labels, role: "install" } },
        { volumes, key, largest: limits },
        startSignal,
      ),
  };
}

/**
 * Package managers hold a whole tree in memory while they unpack it, and pages of what they write count as well; on the disk they
 * keep what they fetched beside what they made of it, until the layer is sealed.
 */
function forInstalls(limits: SandboxLimits): SandboxLimits {
  const { memoryBytes, workspaceBytes, workspaceFiles } = limits;
  return {
    ...limits,
    memoryBytes: 2 * memoryBytes,
    workspaceBytes: 2 * workspaceBytes,
    workspaceFiles: 2 * workspaceFiles,
  };
}
