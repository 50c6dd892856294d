import { randomUUID } from "node:crypto";
import { openObjectStore } from "../../src/checkout/object-store.ts";
import { type Checkout, snapshotFolder } from "../../src/checkout/snapshot.ts";
import { readPackageSources } from "../../src/config/package-sources.ts";
import {
  type Installed,
  type InstallOptions,
  installDependencies,
} from "../../src/dependencies/install-dependencies.ts";
import { resolveTestCommand, type TestCommand } from "../../src/runner/test-command.ts";
import { defaultSandboxLimits, type SandboxLimits } from "../../src/sandbox/limits.ts";
import type { Sandbox, Sandboxes } from "../../src/sandbox/sandbox.ts";
import { sandboxStarter } from "../../src/sandbox/sandbox-starter.ts";
import type { TraceRecord } from "../../src/trace/event.ts";
import { engineUnderTest, never } from "../docker/engine-under-test.ts";
import type { ProjectFiles } from "../e2e/projects.ts";
import { projectFolder } from "../e2e/run-fix.ts";
import { type Registry, type RegistryOptions, startRegistry } from "../registry/registry.ts";
import { layerVolumes, removeLayers } from "./layers-left.ts";

/** An engine, a registry of the test's own, and installs from it. Disposing removes every layer. */
export interface InstallScene extends AsyncDisposable {
  readonly registry: Registry;
  readonly sandboxes: Sandboxes;
  /** Whose the layers are. */
  readonly owner: string;
  /** Volumes of finished layers and of halves. */
  layers(): Promise<string[]>;
  install(files: ProjectFiles, test: string, overrides?: Partial<InstallOptions>): Promise<Install>;
}

export interface Install {
  readonly installed: Installed;
  readonly checkout: Checkout;
  readonly command: TestCommand;
  /** What the trace has of it; undefined when there was nothing to install. */
  readonly record: Extract<TraceRecord, { type: "installed" }> | undefined;
  /** A sandbox with the checkout and what was installed. Fails when nothing could be. */
  start(): Promise<Sandbox>;
}

export interface SceneOptions extends Omit<RegistryOptions, "engine"> {
  readonly limits?: Partial<SandboxLimits>;
}

export async function installScene({ limits, ...options }: SceneOptions = {}): Promise<InstallScene> {
  const { engine, options: common } = await engineUnderTest();
  const registry = await startRegistry({ engine, ...options });
  const owner = `test-${randomUUID()}`;
  const { image, runtime } = common;
  const dockerHost = process.env["DOCKER_HOST"];
  const settings = { engine: { dockerHost }, image, runtime, limits: { ...defaultSandboxLimits, ...limits } };
  const sandboxes = await sandboxStarter({ ...settings, instance: owner, run: "test", layersOf: owner }, never);
  const stores = new AsyncDisposableStack();
  const store = stores.use(await openObjectStore(never));
  const { HOME, NODE_EXTRA_CA_CERTS } = process.env;
  const sources = readPackageSources({ HOME, NODE_EXTRA_CA_CERTS, ...registry.environment });

  async function install(files: ProjectFiles, test: string, overrides: Partial<InstallOptions> = {}): Promise<Install> {
    const checkout = await snapshotFolder(projectFolder(files), store, never);
    const command = await resolveTestCommand(test, checkout);
    const records: TraceRecord[] = [];
    const trace: InstallOptions["trace"] = {
      path: "",
      record: (record) => void records.push(record),
      stage: (_, work) => work(),
    };
    const usual = { setup: undefined, domain: "test", mayInstall: true, timeoutMs: 300_000 };
    const installed = await installDependencies(
      { checkout, command, sandboxes, sources, trace, ...usual, ...overrides },
      never,
    );
    async function start(): Promise<Sandbox> {
      if (installed.kind === "failed") throw new Error(installed.reason);
      const sandbox = await sandboxes.starter(installed.layer)(never);
      await sandbox.put(checkout.files(), { reset: true }, never);
      return sandbox;
    }
    return { installed, checkout, command, record: records.find((each) => each.type === "installed"), start };
  }

  return {
    ...{ registry, sandboxes, owner, install },
    layers: () => layerVolumes(engine, owner),
    async [Symbol.asyncDispose]() {
      await registry[Symbol.asyncDispose]();
      await stores.disposeAsync();
      await removeLayers(engine, owner);
    },
  };
}
