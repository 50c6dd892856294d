import { SandboxError } from "../errors.ts";

/** Gathers the binary parts of an answer up to a cap that the supervisor was told as well. */
export class ByteCollector {
  readonly #maxBytes: number;
  #parts: Uint8Array[] = [];
  #size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Throws `SandboxError` when it would become more than was asked for. */
  add(part: Uint8Array): void {
    this.#size += part.length;
    if (this.#size > this.#maxBytes) throw new SandboxError("the supervisor sent more bytes than it was asked for");
    this.#parts.push(part);
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.#parts, this.#size);
  }
}
