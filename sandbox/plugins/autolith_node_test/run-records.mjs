import { withOutput } from "../autolith_javascript/report.mjs";
import { relative, writeRecord } from "./environment.mjs";
import { assertionOf, exceptionIn, exceptionOf, innermost } from "./failure.mjs";
import { fileOf, Ids, isFile } from "./ids.mjs";
import { redact, shorten } from "./values.mjs";

const messageChars = 8_000;
const outputChars = 8_000;
/** Bytes of all details together; what comes later is reported without them. */
const detailBytes = 6 * 1024 * 1024;
/** Failures that say nothing about the test's own body. */
const outsideBody = new Set(["hookFailed", "cancelledByParent", "testAborted"]);

/** Turns the events of one run into records. */
export class RunRecords {
  #ids = new Ids();
  #collected = new Set();
  /** By stream and file: tests of a file share its process, and node does not say which of them printed what. */
  #output = { "test:stdout": new Map(), "test:stderr": new Map() };
  #detailsLeft = detailBytes;

  /** Takes one event of the stream that reporters get. */
  take(type, data) {
    const id = this.#ids.note(type, data);
    if (id !== undefined) this.#collect(id);
    if (type in this.#output) this.#keepOutput(this.#output[type], data);
    if (type === "test:pass" || type === "test:fail") this.#end(type, data);
  }

  #collect(id) {
    if (this.#collected.has(id)) return;
    this.#collected.add(id);
    writeRecord({ kind: "collected", ids: [id] });
  }

  #keepOutput(output, { entryFile, file, message }) {
    const key = entryFile ?? file;
    output.set(key, ((output.get(key) ?? "") + message).slice(-outputChars));
  }

  #end(type, data) {
    const { details = {} } = data;
    const error = innermost(details.error);
    const record = { kind: "test", id: this.#ids.of(data), file: relative(fileOf(data)) };
    if (details.type === "suite") {
      const isOwnFailure = type === "test:fail" && details.error?.failureType !== "subtestsFailed";
      if (isOwnFailure) this.#write({ ...record, kind: "problem" }, details.error, error, data);
      return;
    }
    this.#collect(record.id);
    const status = statusOf(type, data);
    const durationMs = Number(details.duration_ms ?? 0);
    if (status === "passed") writeRecord({ ...record, status, durationMs });
    else this.#write({ ...record, status, durationMs }, details.error, error, data);
  }

  #write(record, wrapper, error, data) {
    const whole = {
      ...record,
      message: shorten(redact(this.#message(wrapper, error, data)), messageChars),
      exception: isFile(data) ? exceptionIn(this.#outputOf(data)) : exceptionOf(error),
      assertion: assertionOf(error),
    };
    const cost = JSON.stringify(whole).length;
    this.#detailsLeft -= cost;
    writeRecord(this.#detailsLeft >= 0 ? whole : record);
  }

  #message(wrapper, error, data) {
    if (wrapper === undefined) return String(data.skip ?? data.todo ?? "").replace(/^true$/, "");
    if (isFile(data)) return `${endingOf(wrapper)}\n${this.#outputOf(data)}`;
    const output = ["stdout", "stderr"].map((stream) => [`${stream} of the file`, this.#outputOf(data, stream)]);
    return withOutput(String(error?.stack ?? error?.message ?? error ?? ""), output);
  }

  #outputOf(data, stream = "stderr") {
    const output = this.#output[`test:${stream}`];
    return output.get(data.entryFile) ?? output.get(data.file) ?? output.get(data.name) ?? "";
  }
}

function statusOf(type, data) {
  if (data.skip !== undefined && data.skip !== false) return "skipped";
  const isExpected = (data.todo !== undefined && data.todo !== false) || data.expectFailure !== undefined;
  if (type === "test:pass") return data.expectFailure !== undefined ? "xfailed" : isExpected ? "xpassed" : "passed";
  if (isExpected) return "xfailed";
  return isFile(data) || outsideBody.has(data.details?.error?.failureType) ? "error" : "failed";
}

function endingOf(wrapper) {
  const { exitCode, signal } = wrapper;
  return signal
    ? `the test file's process was killed by ${signal}`
    : `the test file's process ended with exit status ${exitCode}`;
}
