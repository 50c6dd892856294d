import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import Docker from "dockerode";

const label = "dev.autolith.instance";

/** The label that marks everything which the service of a data directory makes at the engine. */
function instanceLabel(data: string): string {
  return `${label}=${readFileSync(join(data, "instance-id"), "utf8").trim()}`;
}

/** Containers, volumes and networks of a service. */
export async function leftOvers(data: string): Promise<string[]> {
  const docker = new Docker();
  const filters = { label: [instanceLabel(data)] };
  const [containers, { Volumes }, networks] = await Promise.all([
    docker.listContainers({ all: true, filters }),
    docker.listVolumes({ filters }),
    docker.listNetworks({ filters }),
  ]);
  return [
    ...containers.map(({ Id }) => `container ${Id}`),
    ...(Volumes ?? []).map(({ Name }) => `volume ${Name}`),
    ...networks.map(({ Id }) => `network ${Id}`),
  ];
}

/**
 * Tells of what happens to the containers that a service makes from now on, until it is disposed. One that a killed process had
 * made before is none of them: the engine may still be carrying out what that process asked for last.
 */
export async function watchContainers(data: string, onAction: (action: string) => void): Promise<Disposable> {
  const events = (await new Docker().getEvents({
    filters: { type: ["container"], label: [instanceLabel(data)] },
  })) as Readable;
  const made = new Set<string>();
  events.on("error", () => {});
  createInterface(events).on("line", (line) => {
    const { Action, Actor } = JSON.parse(line) as { Action: string; Actor: { ID: string } };
    if (Action === "create") made.add(Actor.ID);
    if (made.has(Actor.ID)) onAction(Action);
  });
  return { [Symbol.dispose]: () => events.destroy() };
}
