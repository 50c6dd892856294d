import type Docker from "dockerode";
import { SandboxError } from "../../src/errors.ts";
import { followProgress } from "./progress.ts";

/** A registry that shows no sign of life for so long counts as out of reach. Unit: milliseconds. */
const SILENCE_MS = 20_000;

/** Pulls an image; rejects when the registry refuses, cannot be reached, or falls silent. */
export async function pullImage(docker: Docker, reference: string, silenceMs = SILENCE_MS): Promise<void> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), silenceMs);
  try {
    const stream = await docker.pull(reference, { abortSignal: silence.signal });
    await followProgress(stream, `pull ${reference}`, () => timer.refresh());
  } catch (error) {
    if (!silence.signal.aborted) throw error;
    throw new SandboxError(`pull ${reference}: no sign of life for ${silenceMs / 1000} s`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
