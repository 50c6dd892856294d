import { setImmediate as turn } from "node:timers/promises";
import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";

/** After so many uncaught exceptions in one execution the worker looks away: each one holds user code up for a while. */
export const mostPauses = 20;

/** Cells of the memory that both threads share: pauses since the last renewal, and whether the worker looks again. */
export const pausesCell = 0;
export const looksCell = 1;

/** Longest wait for a worker that shall look again; without it, an exception only lacks its locals. Unit: milliseconds. */
const longestRenewal = 500;

/** Sees the locals of exceptions that nobody catches. A thread cannot look at itself while it stands still: a worker does. */
export class LocalsWatch {
  #port;
  #shared;

  constructor(port, shared) {
    this.#port = port;
    this.#shared = shared;
  }

  /** Starts the worker; resolves when it watches. */
  static async start(workspace) {
    const { port1, port2 } = new MessageChannel();
    const shared = new Int32Array(new SharedArrayBuffer(8));
    const worker = new Worker(new URL("./locals-worker.mjs", import.meta.url), {
      workerData: { port: port2, shared, workspace },
      transferList: [port2],
      execArgv: [],
    });
    await new Promise((resolve, reject) => {
      worker.once("error", reject);
      port1.once("message", resolve);
    });
    worker.unref();
    port1.unref();
    return new LocalsWatch(port1, shared);
  }

  /** Drops what was seen before; resolves once a worker that had seen too much looks again. */
  async renew() {
    this.last();
    if (Atomics.exchange(this.#shared, pausesCell, 0) < mostPauses) return;
    Atomics.store(this.#shared, looksCell, 0);
    this.#port.postMessage("again");
    const end = performance.now() + longestRenewal;
    // The worker's session is served between turns of this thread.
    while (Atomics.load(this.#shared, looksCell) === 0 && performance.now() < end) await turn();
  }

  /** Frames of the exception seen last, innermost first: `[{ file, line, locals }]`. */
  last() {
    let frames = [];
    for (let received = this.#next(); received; received = this.#next()) frames = received.message;
    return frames;
  }

  #next() {
    return receiveMessageOnPort(this.#port);
  }
}
