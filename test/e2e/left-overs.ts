import { readFileSync } from "node:fs";
import { join } from "node:path";
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

/** Tells of what happens to the containers of a service, until it is disposed. */
export async function watchContainers(data: string, onAction: (action: string) => void): Promise<Disposable> {
  const events = (await new Docker().getEvents({
    filters: { type: ["container"], label: [instanceLabel(data)] },
  })) as Readable;
  events.setEncoding("utf8");
  events.on("data", (lines: string) => {
    for (const line of lines.split("\n").filter(Boolean)) onAction((JSON.parse(line) as { Action: string }).Action);
  });
  events.on("error", () => {});
  return { [Symbol.dispose]: () => events.destroy() };
}
