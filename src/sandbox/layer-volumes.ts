import { randomBytes } from "node:crypto";
import { z } from "zod";
import { messageOf, SandboxError } from "../errors.ts";
import { type ContainerLabels, encodeLabels, labelName } from "./container-labels.ts";
import { type Engine, statusOf } from "./engine.ts";
import type { Layer } from "./sandbox.ts";
import { untilAborted } from "./until-aborted.ts";

/** How much of the engine's disk the layers of one instance may take, and for how long. */
export interface LayerLimits {
  readonly bytes: number;
  readonly ageMs: number;
}

const defaultLayerLimits: LayerLimits = { bytes: 20 * 1024 ** 3, ageMs: 30 * 86_400_000 };

const answerMs = 30_000;
const name = (key: string) => `autolith-layer-${key}`;

const markerLabels = z.object({
  [labelName.layerVolume]: z.string().min(1),
  [labelName.layerBytes]: z.coerce.number(),
  [labelName.layerFiles]: z.coerce.number(),
});

/** A finished layer as its marker describes it. */
interface Marked {
  readonly marker: string;
  readonly layer: Layer;
  readonly createdMs: number;
}

/**
 * The layers of one instance at an engine. A layer is a volume with files; that it is finished is said by a second, empty volume, the marker,
 * which bears the layer's key as its name and points at the first: nothing in a container can make one, an install that breaks off leaves
 * none, and of two that finish at once the engine keeps one. The files' volume has its owner's labels, so the reaper removes it unless a marker points at it.
 */
export class LayerVolumes {
  readonly #engine: Engine;
  readonly #labels: ContainerLabels;
  readonly #layersOf: string;
  readonly #limits: LayerLimits;

  /** `labels` are the owner's, for layers in the making; `layersOf` names whose the finished ones are. */
  constructor(
    engine: Engine,
    { labels, layersOf }: { readonly labels: ContainerLabels; readonly layersOf: string },
    limits: LayerLimits = defaultLayerLimits,
  ) {
    this.#engine = engine;
    this.#labels = { ...labels, role: "layer" };
    this.#layersOf = layersOf;
    this.#limits = limits;
  }

  /** The finished layer with this key, or null. Rejects with `SandboxError`. */
  async find(key: string, signal: AbortSignal): Promise<Layer | null> {
    const marked = await this.#inspect(name(key), signal);
    const layer = marked === null ? null : layerOf(key, marked.Labels);
    if (layer === null) return null;
    if ((await this.#inspect(layer.volume, signal)) !== null) return layer;
    await this.remove(name(key));
    return null;
  }

  /** Makes the volume of a layer that is to be made; gives its name. Rejects with `SandboxError`. */
  async draft(key: string, signal: AbortSignal): Promise<string> {
    const volume = `${name(key).slice(0, 40)}-${randomBytes(8).toString("hex")}`;
    await this.#create({ Name: volume, Labels: encodeLabels(this.#labels) }, signal);
    return volume;
  }

  /** Declares a layer finished; gives the one that is kept under its key, which is another when that was finished first. */
  async keep(layer: Layer, signal: AbortSignal): Promise<Layer> {
    const { key, volume, bytes, files } = layer;
    const labels = {
      [labelName.layerOf]: this.#layersOf,
      [labelName.layerVolume]: volume,
      [labelName.layerBytes]: String(bytes),
      [labelName.layerFiles]: String(files),
    };
    await this.#create({ Name: name(key), Labels: labels }, signal);
    const kept = await this.find(key, signal);
    if (kept === null) throw new SandboxError("a layer was removed while it was finished");
    await this.#evict(key, signal);
    return kept;
  }

  /** Removes a volume; false while it is in use. Does not throw. */
  async remove(volume: string): Promise<boolean> {
    try {
      await this.#engine.docker.getVolume(volume).remove({ abortSignal: AbortSignal.timeout(answerMs) });
      return true;
    } catch (error) {
      return statusOf(error) === 404;
    }
  }

  /** Removes layers that are too old, then the oldest ones until the rest fits; never the new one, nor one that is in use. */
  async #evict(newest: string, signal: AbortSignal): Promise<void> {
    const all = await this.#list(signal);
    let bytes = all.reduce((sum, { layer }) => sum + layer.bytes, 0);
    for (const { marker, layer, createdMs } of all.toSorted((a, b) => a.createdMs - b.createdMs)) {
      if (layer.key === newest) continue;
      if (bytes <= this.#limits.bytes && Date.now() - createdMs <= this.#limits.ageMs) continue;
      // The files first: an engine refuses to remove what a container uses.
      if (!(await this.remove(layer.volume))) continue;
      await this.remove(marker);
      bytes -= layer.bytes;
    }
  }

  async #list(signal: AbortSignal): Promise<Marked[]> {
    const filters = { label: [`${labelName.layerOf}=${this.#layersOf}`] };
    const { Volumes } = await this.#call("list layers", signal, (abortSignal) =>
      this.#engine.docker.listVolumes({ filters, abortSignal }),
    );
    return (Volumes ?? []).flatMap((volume) => {
      const layer = layerOf(volume.Name.slice(name("").length), volume.Labels);
      const created = "CreatedAt" in volume ? Date.parse(String(volume.CreatedAt)) : Number.NaN;
      return layer === null ? [] : [{ marker: volume.Name, layer, createdMs: created || 0 }];
    });
  }

  async #inspect(volume: string, signal: AbortSignal) {
    try {
      return await this.#call("inspect a layer", signal, () => this.#engine.docker.getVolume(volume).inspect());
    } catch (error) {
      if (error instanceof SandboxError && statusOf(error.cause) === 404) return null;
      throw error;
    }
  }

  async #create(options: { Name: string; Labels: Record<string, string> }, signal: AbortSignal): Promise<void> {
    await this.#call("make a layer", signal, () => this.#engine.docker.createVolume(options));
  }

  async #call<T>(what: string, signal: AbortSignal, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(answerMs)]);
    try {
      return await untilAborted(call(limit), limit);
    } catch (error) {
      signal.throwIfAborted();
      const message = `the engine at ${this.#engine.address} does not ${what}: ${messageOf(error).trim()}`;
      throw new SandboxError(message, { cause: error });
    }
  }
}

/** Names of volumes that markers, of any instance, point at. Rejects with what the engine says. */
export async function markedVolumes(engine: Engine, abortSignal: AbortSignal): Promise<Set<string>> {
  const filters = { label: [labelName.layerVolume] };
  const { Volumes } = await engine.docker.listVolumes({ filters, abortSignal });
  return new Set((Volumes ?? []).flatMap(({ Labels }) => Labels?.[labelName.layerVolume] ?? []));
}

function layerOf(key: string, labels: unknown): Layer | null {
  const parsed = markerLabels.safeParse(labels);
  if (!parsed.success) return null;
  return {
    key,
    volume: parsed.data[labelName.layerVolume],
    bytes: parsed.data[labelName.layerBytes],
    files: parsed.data[labelName.layerFiles],
  };
}
