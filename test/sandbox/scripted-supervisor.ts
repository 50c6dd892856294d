import { type Duplex, duplexPair } from "node:stream";
import { encodeFrame, FrameDecoder, type WireFrame } from "../../src/sandbox/wire-frame.ts";

/** What a script does with one frame from the host. */
export type Script = (request: WireFrame, supervisor: ScriptedSupervisor) => void;

/** The container's end of the attached stream, played by a test: frames in, Docker's stream format out. */
export class ScriptedSupervisor {
  /** The host's end. */
  readonly stream: Duplex;
  readonly requests: WireFrame[] = [];
  readonly #container: Duplex;

  constructor(script: Script) {
    const [host, container] = duplexPair();
    this.stream = host;
    this.#container = container;
    const frames = new FrameDecoder((frame) => {
      this.requests.push(frame);
      script(frame, this);
    });
    container.on("data", (chunk: Buffer) => frames.push(chunk));
    container.on("error", () => undefined);
  }

  /** Headers of the requests seen so far. */
  get headers(): WireFrame["header"][] {
    return this.requests.map((request) => request.header);
  }

  send(header: object, binary?: Uint8Array): void {
    this.sendOutput(1, encodeFrame(header, binary));
  }

  /** `type` 1 is standard output, 2 standard error. */
  sendOutput(type: number, payload: Uint8Array): void {
    this.sendRaw(dockerFrame(type, payload));
  }

  sendRaw(bytes: Uint8Array): void {
    this.#container.write(bytes);
  }

  /** The container ends. */
  end(): void {
    this.#container.end();
  }
}

/** One frame of Docker's stream format. */
export function dockerFrame(type: number, payload: Uint8Array): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt8(type, 0);
  header.writeUInt32BE(payload.length, 4);
  return Buffer.concat([header, payload]);
}
