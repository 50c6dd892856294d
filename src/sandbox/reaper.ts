import { messageOf, SandboxError } from "../errors.ts";
import { labelName, ownerOf } from "./container-labels.ts";
import { type Engine, statusOf } from "./engine.ts";
import { markedVolumes } from "./layer-volumes.ts";
import { isGone, type ProcessIdentity } from "./process-identity.ts";
import { removeContainer } from "./remove-container.ts";

/** What a sweep removed, and what it could not. */
export interface Reaped {
  readonly containers: number;
  readonly volumes: number;
  /** Ids of containers and names of volumes that are still there. */
  readonly failed: readonly string[];
}

/** A container or volume that carries an owner's labels. */
export interface LeftOver {
  readonly id: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly running: boolean;
  readonly createdMs: number;
}

const concurrency = 16;
const answerMs = 15_000;

/** No start takes this long: what is not in use by then never will be, whoever made it. */
const neverUsedMs = 3_600_000;

/**
 * Removes every container and workspace volume that carries the instance's label. For the start of a service, before it has
 * any sandbox of its own: no other process may use the same instance id. Rejects with `SandboxError` when the engine does not answer.
 */
export function reapInstance(engine: Engine, instance: string, signal: AbortSignal): Promise<Reaped> {
  return reap(engine, `${labelName.instance}=${instance}`, () => Promise.resolve(true), signal);
}

/**
 * Removes the containers of an instance whose run is over, though the process that made them may live: one that was left behind by
 * a job that ended, or whose claim passed to another worker. Volumes are left alone, for some are kept from run to run.
 * Rejects with `SandboxError` when the engine does not answer.
 */
export async function reapRuns(
  engine: Engine,
  instance: string,
  isOver: (run: string) => Promise<boolean>,
  signal: AbortSignal,
): Promise<Reaped> {
  const found = await listContainers(engine, `${labelName.instance}=${instance}`, signal);
  const wanted = ({ labels }: LeftOver) => isOver(labels[labelName.run] ?? "");
  const { removed, failed } = await removeAll(found, wanted, (id) => removeContainer(engine.docker.getContainer(id)));
  return { containers: removed, volumes: 0, failed };
}

/**
 * Removes containers and workspace volumes, of any instance, that are abandoned. What belongs to a living process, or to one of another machine, is left alone.
 * Rejects with `SandboxError` when the engine does not answer.
 */
export function reapAbandoned(
  engine: Engine,
  here: ProcessIdentity,
  now: () => Date,
  signal: AbortSignal,
): Promise<Reaped> {
  const abandoned = (leftOver: LeftOver) => isAbandoned(leftOver, here, now());
  return reap(engine, labelName.ownerPid, abandoned, signal);
}

/** Whether nobody can have any use for it any more: its owner is gone, or it has not run for an hour after it was made. */
export async function isAbandoned(leftOver: LeftOver, here: ProcessIdentity, now: Date): Promise<boolean> {
  const owner = ownerOf(leftOver.labels);
  if (owner !== null && (await isGone(owner, here))) return true;
  return !leftOver.running && now.getTime() - leftOver.createdMs > neverUsedMs;
}

async function reap(
  engine: Engine,
  label: string,
  wanted: (leftOver: LeftOver) => Promise<boolean>,
  signal: AbortSignal,
): Promise<Reaped> {
  const { docker } = engine;
  const containers = await removeAll(await listContainers(engine, label, signal), wanted, (id) =>
    removeContainer(docker.getContainer(id)),
  );
  // Volumes come second: those of the containers above are gone by now or no longer in use.
  const volumes = await removeAll(await listVolumes(engine, label, signal), wanted, (id) => removeVolume(engine, id));
  return {
    containers: containers.removed,
    volumes: volumes.removed,
    failed: [...containers.failed, ...volumes.failed],
  };
}

async function removeAll(
  found: readonly LeftOver[],
  wanted: (leftOver: LeftOver) => Promise<boolean>,
  remove: (id: string) => Promise<boolean>,
): Promise<{ removed: number; failed: string[] }> {
  const waiting = [...found];
  const failed: string[] = [];
  let removed = 0;
  const worker = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (!(await wanted(next))) continue;
      if (await remove(next.id)) removed += 1;
      else failed.push(next.id);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return { removed, failed };
}

async function listContainers(engine: Engine, label: string, signal: AbortSignal): Promise<LeftOver[]> {
  const filters = { label: [label] };
  const found = await listed(engine, signal, (abortSignal) =>
    engine.docker.listContainers({ all: true, filters, abortSignal }),
  );
  return found.map(({ Id, Labels, State, Created }) => ({
    id: Id,
    labels: Labels,
    running: State === "running",
    createdMs: Created * 1_000,
  }));
}

/** Only volumes that no container uses, and that are no finished layer. */
async function listVolumes(engine: Engine, label: string, signal: AbortSignal): Promise<LeftOver[]> {
  const filters = { label: [label], dangling: ["true"] };
  const { Volumes } = await listed(engine, signal, (abortSignal) =>
    engine.docker.listVolumes({ filters, abortSignal }),
  );
  // Asked for second: a layer that is finished in between is seen to be so.
  const finished = await listed(engine, signal, (abortSignal) => markedVolumes(engine, abortSignal));
  // The engine says null for none.
  const dangling = (Volumes ?? []).filter(({ Name }) => !finished.has(Name));
  return dangling.map(({ Name, Labels, ...volume }) => ({
    id: Name,
    labels: Labels,
    running: false,
    createdMs: Date.parse("CreatedAt" in volume ? String(volume.CreatedAt) : ""),
  }));
}

async function listed<T>(engine: Engine, signal: AbortSignal, list: (signal: AbortSignal) => Promise<T>): Promise<T> {
  try {
    return await list(AbortSignal.any([signal, AbortSignal.timeout(answerMs)]));
  } catch (error) {
    signal.throwIfAborted();
    const what = `the engine at ${engine.address} does not list what an earlier run left behind`;
    throw new SandboxError(`${what}: ${messageOf(error).trim()}`, { cause: error });
  }
}

/** 409 is a volume in use again, which is not a left-over; does not throw. */
async function removeVolume(engine: Engine, name: string): Promise<boolean> {
  try {
    await engine.docker.getVolume(name).remove({ abortSignal: AbortSignal.timeout(answerMs) });
    return true;
  } catch (error) {
    return statusOf(error) === 404 || statusOf(error) === 409;
  }
}
