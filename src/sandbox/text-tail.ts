/** Keeps the end of a byte stream, for messages. */
export class TextTail {
  readonly #maxBytes: number;
  #bytes: Buffer = Buffer.alloc(0);

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(bytes: Uint8Array): void {
    const joined = Buffer.concat([this.#bytes, bytes.subarray(-this.#maxBytes)]);
    this.#bytes = joined.subarray(-this.#maxBytes);
  }

  /** On one line and in printable ASCII, since it comes out of a container. */
  text(): string {
    return this.#bytes
      .toString("latin1")
      .replace(/\s+/g, " ")
      .replace(/[^\x20-\x7e]/g, "?")
      .trim();
  }
}
