import { once } from "node:events";
import type { Writable } from "node:stream";

/** Small frames of an upload are joined up to this size, so that thousands of files do not cost a system call each. */
const batchBytes = 256 * 1024;

/** Writes frames to a stream: single ones at once, uploads in batches and no faster than the stream takes them. */
export class FrameWriter {
  readonly #stream: Writable;
  readonly #closed: AbortSignal;
  #batch: Buffer[] = [];
  #batched = 0;

  constructor(stream: Writable, closed: AbortSignal) {
    this.#stream = stream;
    this.#closed = closed;
  }

  /** For requests that are one frame; never waits. */
  write(frame: Buffer): void {
    this.#stream.write(frame);
  }

  /** Adds a frame to the batch and, when that is full, waits until the stream took it. Rejects with the reason when the channel is closed. */
  async add(frame: Buffer): Promise<void> {
    this.#batch.push(frame);
    this.#batched += frame.length;
    if (this.#batched >= batchBytes) await this.flush();
  }

  async flush(): Promise<void> {
    const bytes = Buffer.concat(this.#batch, this.#batched);
    this.#batch = [];
    this.#batched = 0;
    this.#closed.throwIfAborted();
    if (this.#stream.write(bytes)) return;
    try {
      await once(this.#stream, "drain", { signal: this.#closed });
    } catch (error) {
      this.#closed.throwIfAborted();
      throw error;
    }
  }
}
