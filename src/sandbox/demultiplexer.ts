import { SandboxError } from "../errors.ts";

/** Where the two streams of a container go, in pieces of any size, in order. */
export interface OutputSinks {
  readonly stdout: (bytes: Uint8Array) => void;
  readonly stderr: (bytes: Uint8Array) => void;
}

const headerBytes = 8;

/** Engines copy in pieces of 32 KiB; a larger length means that the stream is out of step. */
const maxFrameBytes = 16 * 1024 * 1024;

/**
 * Takes Docker's stream framing off: `type (1 = stdout, 2 = stderr), 0, 0, 0, u32 length, payload`
 * (https://docs.docker.com/reference/api/engine/, "Attach to a container").
 *
 * Payloads are passed on as they arrive, so memory does not grow with the length that a frame claims, and a
 * chunk full of tiny frames costs one loop turn each. `push` throws `SandboxError` when the stream is not of this form;
 * the demultiplexer must not be used afterwards.
 */
export class Demultiplexer {
  readonly #sinks: OutputSinks;
  readonly #header = new Uint8Array(headerBytes);
  #headerFilled = 0;
  #payloadLeft = 0;
  #sink: (bytes: Uint8Array) => void;

  constructor(sinks: OutputSinks) {
    this.#sinks = sinks;
    this.#sink = sinks.stdout;
  }

  push(chunk: Uint8Array): void {
    let offset = 0;
    while (offset < chunk.length) {
      offset += this.#payloadLeft > 0 ? this.#takePayload(chunk, offset) : this.#takeHeader(chunk, offset);
    }
  }

  #takePayload(chunk: Uint8Array, offset: number): number {
    const size = Math.min(this.#payloadLeft, chunk.length - offset);
    this.#payloadLeft -= size;
    this.#sink(chunk.subarray(offset, offset + size));
    return size;
  }

  #takeHeader(chunk: Uint8Array, offset: number): number {
    const size = Math.min(headerBytes - this.#headerFilled, chunk.length - offset);
    this.#header.set(chunk.subarray(offset, offset + size), this.#headerFilled);
    this.#headerFilled += size;
    if (this.#headerFilled === headerBytes) {
      this.#headerFilled = 0;
      this.#openFrame();
    }
    return size;
  }

  #openFrame(): void {
    const view = new DataView(this.#header.buffer);
    // The first word is the type followed by three zero bytes.
    const type = view.getUint32(0) / 0x1_00_00_00;
    const length = view.getUint32(4);
    if ((type !== 1 && type !== 2) || length > maxFrameBytes) {
      const seen = Buffer.from(this.#header).toString("hex");
      throw new SandboxError(`the container's output is not in the engine's stream format (frame header ${seen})`);
    }
    this.#sink = type === 1 ? this.#sinks.stdout : this.#sinks.stderr;
    this.#payloadLeft = length;
  }
}
