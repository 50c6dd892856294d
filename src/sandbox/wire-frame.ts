import { SandboxError } from "../errors.ts";

/** One frame of the sandbox protocol: `u32 bodyLength | u32 headerLength | JSON header | binary`. */
export interface WireFrame {
  readonly header: Readonly<Record<string, unknown>>;
  readonly binary: Uint8Array;
}

/** Largest body of a frame, by the protocol. */
export const maxBodyBytes = 1024 * 1024;

const lengthBytes = 4;
const noBytes = new Uint8Array(0);
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The bytes of one frame. Throws `SandboxError` when it would be larger than the protocol allows. */
export function encodeFrame(header: object, binary: Uint8Array = noBytes): Buffer {
  const text = JSON.stringify(header);
  const headerLength = Buffer.byteLength(text);
  const bodyLength = lengthBytes + headerLength + binary.length;
  if (bodyLength > maxBodyBytes) {
    throw new SandboxError(`a request of ${bodyLength} bytes does not fit into a frame of ${maxBodyBytes} bytes`);
  }
  const bytes = Buffer.allocUnsafe(lengthBytes + bodyLength);
  bytes.writeUInt32BE(bodyLength, 0);
  bytes.writeUInt32BE(headerLength, lengthBytes);
  bytes.write(text, 2 * lengthBytes, "utf8");
  bytes.set(binary, 2 * lengthBytes + headerLength);
  return bytes;
}

/**
 * Cuts a byte stream into frames, whatever the pieces it arrives in. Holds at most one body.
 * `push` throws `SandboxError` on a frame that breaks the protocol; the decoder must not be used afterwards.
 */
export class FrameDecoder {
  readonly #onFrame: (frame: WireFrame) => void;
  readonly #lengthWord = Buffer.alloc(lengthBytes);
  /** What is being filled now: the length word, or the body that it announced. */
  #target = this.#lengthWord;
  #filled = 0;
  #inBody = false;

  constructor(onFrame: (frame: WireFrame) => void) {
    this.#onFrame = onFrame;
  }

  push(chunk: Uint8Array): void {
    let offset = 0;
    while (offset < chunk.length) {
      const size = Math.min(this.#target.length - this.#filled, chunk.length - offset);
      this.#target.set(chunk.subarray(offset, offset + size), this.#filled);
      this.#filled += size;
      offset += size;
      if (this.#filled === this.#target.length) this.#turn();
    }
  }

  #turn(): void {
    const complete = this.#target;
    this.#filled = 0;
    this.#inBody = !this.#inBody;
    if (this.#inBody) {
      this.#target = Buffer.allocUnsafe(bodyLength(complete));
    } else {
      this.#target = this.#lengthWord;
      this.#onFrame(decodeBody(complete));
    }
  }
}

function bodyLength(word: Buffer): number {
  const length = word.readUInt32BE(0);
  if (length < lengthBytes || length > maxBodyBytes) {
    throw new SandboxError(`the supervisor announced a frame of ${length} bytes`);
  }
  return length;
}

function decodeBody(body: Buffer): WireFrame {
  const headerEnd = lengthBytes + body.readUInt32BE(0);
  if (headerEnd > body.length)
    throw new SandboxError("the supervisor sent a frame whose header is longer than its body");
  const header = parseHeader(body.subarray(lengthBytes, headerEnd));
  return { header, binary: body.subarray(headerEnd) };
}

function parseHeader(bytes: Uint8Array): Record<string, unknown> {
  let header: unknown;
  try {
    header = JSON.parse(utf8.decode(bytes));
  } catch (error) {
    throw new SandboxError("the supervisor sent a header that is not JSON in UTF-8", { cause: error });
  }
  if (typeof header !== "object" || header === null || Array.isArray(header)) {
    throw new SandboxError("the supervisor sent a header that is not a JSON object");
  }
  return header as Record<string, unknown>;
}
