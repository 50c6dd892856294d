import type { IncomingMessage } from "node:http";

/** What one server lets callers send who have not shown yet that they know the secret. */
export interface BodyLimits {
  /** Of one body, in bytes. */
  readonly bytes: number;
  /** For one body to arrive, in milliseconds. */
  readonly timeMs: number;
  /** Of all bodies that are arriving, in bytes. */
  readonly bytesInFlight: number;
}

export type Body =
  | { readonly kind: "read"; readonly bytes: Buffer }
  | { readonly kind: "too-large" | "too-slow" | "too-many" | "cut-off" };

/** Reads bodies within limits; one reader per server, since it counts what is under way. */
export class BodyReader {
  readonly #limits: BodyLimits;
  #inFlight = 0;

  constructor(limits: BodyLimits) {
    this.#limits = limits;
  }

  /** Gives the body, or why it was not read to its end. Does not reject. */
  async read(request: IncomingMessage): Promise<Body> {
    if (Number(request.headers["content-length"] ?? 0) > this.#limits.bytes) return { kind: "too-large" };
    const { promise, resolve } = Promise.withResolvers<Body>();
    const chunks: Buffer[] = [];
    let size = 0;
    const timer = setTimeout(() => resolve({ kind: "too-slow" }), this.#limits.timeMs);
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      this.#inFlight += chunk.length;
      chunks.push(chunk);
      if (size > this.#limits.bytes) resolve({ kind: "too-large" });
      else if (this.#inFlight > this.#limits.bytesInFlight) resolve({ kind: "too-many" });
    };
    request.on("data", onData);
    request.once("end", () => resolve({ kind: "read", bytes: Buffer.concat(chunks, size) }));
    for (const event of ["error", "close"]) request.once(event, () => resolve({ kind: "cut-off" }));
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      request.off("data", onData).pause();
      this.#inFlight -= size;
    }
  }
}
