import { randomUUID } from "node:crypto";
import type { ContainerLabels } from "../../src/sandbox/container-labels.ts";
import { type DockerSandboxOptions, startDockerSandbox } from "../../src/sandbox/docker-sandbox.ts";
import { connectEngine, type Engine } from "../../src/sandbox/engine.ts";
import { engineAddress } from "../../src/sandbox/engine-address.ts";
import { sandboxImage } from "../../src/sandbox/image.ts";
import { defaultSandboxLimits } from "../../src/sandbox/limits.ts";
import { currentProcess } from "../../src/sandbox/process-identity.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";

/** For tests that never cancel. */
export const never = new AbortController().signal;

/** The engine of this machine, and the labels under which one test file makes its containers. */
export interface EngineUnderTest {
  readonly engine: Engine;
  readonly labels: ContainerLabels;
  readonly options: DockerSandboxOptions;
  /** A sandbox under these labels. */
  start(overrides?: Partial<DockerSandboxOptions>): Promise<Sandbox>;
  /** Ids of containers and names of volumes with these labels. */
  leftOvers(): Promise<string[]>;
}

/** Connects as the product does, with the product's own settings for another image or runtime. */
export async function engineUnderTest(): Promise<EngineUnderTest> {
  const engine = await connectEngine(engineAddress({ dockerHost: process.env["DOCKER_HOST"] }), never);
  const owner = await currentProcess();
  const labels = { instance: `test-${randomUUID()}`, run: "test", role: "test", owner };
  const image = process.env["AUTOLITH_SANDBOX_IMAGE"] ?? (await sandboxImage());
  const runtime = process.env["AUTOLITH_SANDBOX_RUNTIME"];
  const options = { engine, image, runtime, limits: defaultSandboxLimits, labels };
  return {
    engine,
    labels,
    options,
    start: (overrides = {}) => startDockerSandbox({ ...options, ...overrides }, never),
    leftOvers: () => leftOvers(engine, labels.instance),
  };
}

async function leftOvers(engine: Engine, instance: string): Promise<string[]> {
  const filters = { label: [`dev.autolith.instance=${instance}`] };
  const containers = await engine.docker.listContainers({ all: true, filters });
  const { Volumes: volumes } = await engine.docker.listVolumes({ filters });
  return [...containers.map(({ Id }) => Id), ...(volumes ?? []).map(({ Name }) => Name)];
}
