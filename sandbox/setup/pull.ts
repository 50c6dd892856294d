import type Docker from "dockerode";
import { followProgress } from "./progress.ts";

/** A registry that shows no sign of life for so long counts as out of reach. Unit: milliseconds. */
const SILENCE_MS = 20_000;

/** Pulls an image; rejects when the registry refuses, cannot be reached, or falls silent. */
export async function pullImage(docker: Docker, reference: string): Promise<void> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(new Error("no answer from the image registry")), SILENCE_MS);
  try {
    const stream = await docker.pull(reference, { abortSignal: silence.signal });
    await followProgress(stream, `pull ${reference}`, () => timer.refresh());
  } finally {
    clearTimeout(timer);
  }
}
