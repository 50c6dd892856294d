import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { z } from "zod";
import { SandboxError } from "../../src/errors.ts";
import { lastLines } from "./program.ts";

const ProgressEvent = z.object({ stream: z.string().optional(), error: z.string().optional() });

/**
 * Reads the engine's stream of JSON lines, as pulls, builds and imports give it, to its end. Calls `onEvent` for each line.
 * An error that the engine reports, or a stream that is cut, is a `SandboxError` with the last lines of what was built.
 */
export async function followProgress(stream: NodeJS.ReadableStream, what: string, onEvent = () => {}): Promise<void> {
  const { promise: cut, reject } = Promise.withResolvers<never>();
  stream.on("error", (cause) => reject(new SandboxError(`${what}: ${cause.message}`, { cause })));
  await Promise.race([cut, readEvents(stream as Readable, what, onEvent)]);
}

async function readEvents(stream: Readable, what: string, onEvent: () => void): Promise<void> {
  let output = "";
  for await (const line of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line === "") continue;
    onEvent();
    const event = ProgressEvent.parse(JSON.parse(line));
    output += event.stream ?? "";
    if (event.error !== undefined) throw new SandboxError(`${what}: ${event.error}\n${lastLines(output)}`);
  }
}
