import { connectEngine } from "./engine.ts";
import { type EngineSettings, engineAddress } from "./engine-address.ts";
import { type Reaped, reapRuns } from "./reaper.ts";

/**
 * Removes what runs of an instance left at the engine that are over, as `isOver` says by their names. For a service, now and then.
 * Rejects with `SandboxError` when the engine does not answer.
 */
export async function sweepRuns(
  { engine, instance }: { readonly engine: EngineSettings; readonly instance: string },
  isOver: (run: string) => Promise<boolean>,
  signal: AbortSignal,
): Promise<Reaped> {
  return reapRuns(await connectEngine(engineAddress(engine), signal), instance, isOver, signal);
}
