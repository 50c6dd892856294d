import { setTimeout as sleep } from "node:timers/promises";
import type { Container } from "dockerode";
import { statusOf } from "./engine.ts";

const boundMs = 5_000;
const pauseMs = 100;

/**
 * Kills and removes a container with its anonymous volumes, and waits until both are gone; true when they are.
 * Bounded to five seconds; does not throw. One that is already gone, or that something else is removing, is no failure.
 */
export async function removeContainer(container: Container): Promise<boolean> {
  const abortSignal = AbortSignal.timeout(boundMs);
  while (!abortSignal.aborted) {
    try {
      await container.remove({ force: true, v: true, abortSignal });
      return true;
    } catch (error) {
      if (statusOf(error) === 404) return true;
      if (statusOf(error) === 409 && (await removedByOther(container, abortSignal))) return true;
    }
    await sleep(pauseMs);
  }
  return false;
}

async function removedByOther(container: Container, abortSignal: AbortSignal): Promise<boolean> {
  try {
    await container.wait({ condition: "removed", abortSignal });
    return true;
  } catch (error) {
    return statusOf(error) === 404;
  }
}
