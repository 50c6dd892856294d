import { Socket } from "node:net";
import { channelLost } from "./output.mjs";

const { stringify } = JSON;
const longest = 490 * 1024;

/** The private channel to the supervisor; see `driver_channel.py` for its frames. */
export class Channel {
  #socket;
  #buffer = Buffer.alloc(0);

  /** Calls `onExecution({ number, outputs, code })` for every request. */
  constructor(descriptor, onExecution) {
    this.#socket = new Socket({ fd: descriptor, readable: true, writable: true });
    this.#socket.on("data", (chunk) => {
      this.#buffer = this.#buffer.length === 0 ? chunk : Buffer.concat([this.#buffer, chunk]);
      while (this.#buffer.length >= 4 && this.#buffer.length >= 4 + this.#buffer.readUInt32BE()) {
        const end = 4 + this.#buffer.readUInt32BE();
        const number = this.#buffer.readUInt32BE(4);
        const [stdout, stderr, ...code] = this.#buffer.toString("utf8", 8, end).split("\0");
        this.#buffer = this.#buffer.subarray(end);
        onExecution({ number, outputs: [stdout, stderr], code: code.join("\0") });
      }
    });
    this.#socket.on("error", () => process.reallyExit(channelLost));
    this.#socket.on("close", () => process.reallyExit(0));
  }

  /** Sends a reply; one that is too long goes without its exception and value. */
  send(reply) {
    const { execution, outcome, value = null, exception = null, stale = [], background = [] } = reply;
    let body = Buffer.from(stringify({ execution, outcome, value, exception, stale, background }));
    if (body.length > longest) {
      const bare = { execution, outcome, value: null, exception: null, stale: [], background: [] };
      body = Buffer.from(stringify(bare));
    }
    const length = Buffer.alloc(4);
    length.writeUInt32BE(body.length);
    this.#socket.write(Buffer.concat([length, body]));
  }
}
