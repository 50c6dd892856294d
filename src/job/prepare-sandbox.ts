import { type InstallOptions, installDependencies } from "../dependencies/install-dependencies.ts";
import type { Layer, Sandboxes } from "../sandbox/sandbox.ts";
import type { CommitRepair } from "./repair-commit.ts";

type Prepared =
  /** A null layer: there is nothing to install. */
  | { readonly kind: "ready"; readonly sandboxes: Sandboxes; readonly layer: Layer | null }
  /** One line for a person. */
  | { readonly kind: "failed"; readonly reason: string };

export type Preparation = Omit<CommitRepair, "active" | "base">;

/** Brings what the tests of a commit need into a layer. Rejects with `SandboxError`. */
export async function prepareSandbox(preparation: Preparation, signal: AbortSignal): Promise<Prepared> {
  const { services, run } = preparation;
  const sandboxes = await services.sandboxes(run, signal);
  const installed = await installDependencies(installOf(preparation, sandboxes), signal);
  return installed.kind === "failed" ? installed : { kind: "ready", sandboxes, layer: installed.layer };
}

/** What is installed for a commit. What a stranger's branch asks for is not: that would give it a network. */
export function installOf(preparation: Preparation, sandboxes: Sandboxes): InstallOptions {
  const { services, job, checkout, command, setup, isFork, trace } = preparation;
  const domain = `repository ${services.apiUrl} ${job.repository.id}`;
  const { sources, limits } = services;
  const work = { checkout, command, setup, sandboxes, sources, domain, trace };
  return { ...work, mayInstall: !isFork, timeoutMs: limits.installMs };
}
