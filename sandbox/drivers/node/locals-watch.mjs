import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";

/** After so many uncaught exceptions in one execution the worker looks away: each one holds user code up for a while. */
export const mostPauses = 20;

/** Sees the locals of exceptions that nobody catches. A thread cannot look at itself while it stands still: a worker does. */
export class LocalsWatch {
  #port;
  #pauses;

  constructor(port, pauses) {
    this.#port = port;
    this.#pauses = pauses;
  }

  /** Starts the worker; resolves when it watches. */
  static async start(workspace) {
    const { port1, port2 } = new MessageChannel();
    const pauses = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(new URL("./locals-worker.mjs", import.meta.url), {
      workerData: { port: port2, pauses, workspace },
      transferList: [port2],
      execArgv: [],
    });
    await new Promise((resolve, reject) => {
      worker.once("error", reject);
      port1.once("message", resolve);
    });
    worker.unref();
    port1.unref();
    return new LocalsWatch(port1, pauses);
  }

  /** Drops what was seen before; a worker that had seen too much looks again. */
  renew() {
    this.last();
    if (Atomics.exchange(this.#pauses, 0, 0) >= mostPauses) this.#port.postMessage("again");
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
