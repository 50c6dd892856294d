import type { Checkout } from "../checkout/snapshot.ts";
import type { PackageSources } from "../config/package-sources.ts";
import type { Layer, Sandboxes } from "../sandbox/sandbox.ts";
import type { Trace } from "../trace/recorder.ts";
import type { InstallPlan } from "./install-plan.ts";
import { layerKey } from "./layer-key.ts";
import { type PlanOptions, planInstall } from "./plan.ts";
import { runPlan } from "./run-plan.ts";

export interface InstallOptions extends Omit<PlanOptions, "files"> {
  readonly checkout: Checkout;
  readonly sandboxes: Sandboxes;
  readonly sources: PackageSources;
  /** Whose layers may be used, and whose the new one is. */
  readonly domain: string;
  /** False where strangers chose what is installed: then a layer that was made before is used, and none is made. */
  readonly mayInstall: boolean;
  /** For the whole install, in milliseconds. */
  readonly timeoutMs: number;
  readonly trace: Trace;
}

/** What the tests of a checkout have to be run with. */
export type Installed =
  /** A null layer: there is nothing to install. */
  | { readonly kind: "ready"; readonly layer: Layer | null }
  /** One line for a person. */
  | { readonly kind: "failed"; readonly reason: string };

/**
 * Brings the packages that the tests need into a layer, in a throw-away container of its own, or finds the layer that an equal install
 * made. Costs nothing when there is nothing to install. Rejects with `SandboxError`, and with the signal's reason; nothing is left then.
 */
export async function installDependencies(options: InstallOptions, signal: AbortSignal): Promise<Installed> {
  const plan = await planInstall({ ...options, files: options.checkout });
  if (plan === null) return { kind: "ready", layer: null };
  return options.trace.stage("install", () => install(plan, options, signal));
}

async function install(plan: InstallPlan, options: InstallOptions, signal: AbortSignal): Promise<Installed> {
  const { checkout, sandboxes, domain, mayInstall, trace } = options;
  const { manager } = plan;
  const start = performance.now();
  const key = layerKey({ plan, checkout, platform: sandboxes.platform, domain });
  const known = await sandboxes.findLayer(key, signal);
  const record = (source: "cached" | "fresh", layer: Layer | null, notes: readonly string[]) => {
    const { files = 0, bytes = 0 } = layer ?? {};
    const durationMs = performance.now() - start;
    trace.record({
      type: "installed",
      manager,
      key,
      source,
      ok: layer !== null,
      files,
      bytes,
      notes: [...notes],
      durationMs,
    });
  };
  if (known !== null) {
    record("cached", known, []);
    return { kind: "ready", layer: known };
  }
  if (!mayInstall) return { kind: "failed", reason: notForForks };
  const made = await make(plan, key, options, signal);
  if (made.kind === "failed") {
    const reason = `the dependencies could not be installed: ${made.reason}`;
    record("fresh", null, [reason]);
    return { kind: "failed", reason };
  }
  record("fresh", made.layer, made.notes);
  return { kind: "ready", layer: made.layer };
}

const notForForks =
  "its tests need packages, and for pull requests from forks none are installed but those that the repository's own branches have installed already";

type Made =
  | { readonly kind: "made"; readonly layer: Layer; readonly notes: readonly string[] }
  | { readonly kind: "failed"; readonly reason: string };

async function make(plan: InstallPlan, key: string, options: InstallOptions, signal: AbortSignal): Promise<Made> {
  const { checkout, sandboxes, sources, timeoutMs } = options;
  await using sandbox = await sandboxes.startInstall(key, signal);
  const run = await runPlan({ plan, files: checkout.files(), sandbox, sources, timeoutMs }, signal);
  if (run.kind === "failed") return run;
  const sealed = await sandbox.seal(signal);
  if (sealed.kind === "unfit") return { kind: "failed", reason: sealed.problem };
  return { kind: "made", layer: sealed.layer, notes: run.notes };
}
