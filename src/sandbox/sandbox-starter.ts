import { startDockerSandbox } from "./docker-sandbox.ts";
import { checkEngineHas, connectEngine } from "./engine.ts";
import { type EngineSettings, engineAddress } from "./engine-address.ts";
import { sandboxImage } from "./image.ts";
import type { SandboxLimits } from "./limits.ts";
import { currentProcess } from "./process-identity.ts";
import { reapAbandoned } from "./reaper.ts";
import type { StartSandbox } from "./sandbox.ts";

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
}

/**
 * Connects to the engine, checks that it can do what is asked, removes what dead processes left there, and gives the function
 * that starts sandboxes. Rejects with `SandboxError`.
 */
export async function sandboxStarter(options: SandboxStarterOptions, signal: AbortSignal): Promise<StartSandbox> {
  const engine = await connectEngine(engineAddress(options.engine), signal);
  const image = options.image ?? (await sandboxImage());
  await checkEngineHas(engine, { image, runtime: options.runtime }, signal);
  const owner = await currentProcess();
  await reapAbandoned(engine, owner, () => new Date(), signal);
  const { limits, runtime, instance, run } = options;
  return (startSignal) =>
    startDockerSandbox({ engine, image, limits, runtime, labels: { instance, run, role: "run", owner } }, startSignal);
}
