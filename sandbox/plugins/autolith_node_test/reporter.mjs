/**
 * Autolith's reporter for node:test, loaded by `--test-reporter` beside the one that people read. Writes JSON lines to
 * the file that AUTOLITH_REPORT names and nothing to its destination.
 */
import { Transform } from "node:stream";
import { writeRecord } from "./environment.mjs";
import { RunRecords } from "./run-records.mjs";

export default class Reporter extends Transform {
  #run = new RunRecords();
  #isBroken = false;

  constructor() {
    super({ writableObjectMode: true });
    writeRecord({ kind: "start", runner: "node-test", version: process.version });
  }

  _transform({ type, data }, _encoding, done) {
    try {
      this.#run.take(type, data);
    } catch {
      this.#isBroken = true;
    }
    done();
  }

  _flush(done) {
    if (!this.#isBroken) writeRecord({ kind: "end" });
    done();
  }
}
