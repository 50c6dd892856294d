import { readFileSync } from "node:fs";
import { join } from "node:path";
import Docker from "dockerode";
import type { Engine as WholeEngine } from "../../src/sandbox/engine.ts";

type Engine = Pick<WholeEngine, "docker">;

/** Names of an owner's volumes: finished layers with their markers, and what was begun by an instance of that name. */
export async function layerVolumes(engine: Engine, owner: string): Promise<string[]> {
  const finished = await labelled(engine, [`dev.autolith.layer.instance=${owner}`]);
  const begun = await labelled(engine, [`dev.autolith.instance=${owner}`, "dev.autolith.role=layer"]);
  const files = finished.flatMap(({ Labels }) => Labels?.["dev.autolith.layer.volume"] ?? []);
  return [...new Set([...[...finished, ...begun].map(({ Name }) => Name), ...files])].toSorted();
}

/** Removes them. */
export async function removeLayers(engine: Engine, owner: string): Promise<void> {
  const names = await layerVolumes(engine, owner);
  await Promise.all(names.map((name) => engine.docker.getVolume(name).remove({ force: true })));
}

/** Removes those of a data directory, which may have none. */
export async function removeLayersOf(data: string): Promise<void> {
  try {
    await removeLayers({ docker: new Docker() }, readFileSync(join(data, "instance-id"), "utf8").trim());
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  }
}

async function labelled(engine: Engine, label: string[]) {
  const { Volumes } = await engine.docker.listVolumes({ filters: { label } });
  return Volumes ?? [];
}
