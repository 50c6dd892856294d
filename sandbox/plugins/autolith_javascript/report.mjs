import { writeRecord } from "../autolith_node_test/environment.mjs";
import { redact, shorten } from "../autolith_node_test/values.mjs";

const messageChars = 8_000;
const outputChars = 4_000;
/** Bytes of all details together; what comes later is reported without them. */
const detailBytes = 6 * 1024 * 1024;
const controls = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*[A-Za-z]`, "g");

/** Writes the records of one run, each id once collected and each result once. */
export class Report {
  #collected = new Set();
  #detailsLeft = detailBytes;

  constructor(runner, version) {
    writeRecord({ kind: "start", runner, version: String(version) });
  }

  /** Notes that tests are going to run. */
  collect(ids) {
    const fresh = ids.filter((id) => !this.#collected.has(id));
    for (const id of fresh) this.#collected.add(id);
    for (let at = 0; at < fresh.length; at += 1_000)
      writeRecord({ kind: "collected", ids: fresh.slice(at, at + 1_000) });
  }

  /** A result, or an error outside of any test; details that are too much for the report as a whole are left out. */
  write(record, { message = "", ...details } = {}) {
    const whole = { ...record, ...details, message: shorten(redact(plain(message)), messageChars) };
    this.#detailsLeft -= JSON.stringify(whole).length;
    writeRecord(this.#detailsLeft >= 0 ? whole : record);
  }

  /** The closing record. */
  end(exitStatus) {
    writeRecord({ kind: "end", exitStatus });
  }
}

/** Text without colours. */
export function plain(text) {
  return text.replaceAll(controls, "");
}

/** A test's message with what it printed, the last lines of it. */
export function withOutput(message, output) {
  const parts = [...output]
    .filter(([, text]) => text.trim() !== "")
    .map(([stream, text]) => `--- ${stream} ---\n${text.trimEnd().slice(-outputChars)}`);
  return [message, ...parts].filter((part) => part !== "").join("\n");
}

/** Gives the ids of one file: `place > name`, with ` #2` and so on for further tests of the same name in one place. */
export function numbered() {
  const counts = new Map();
  return (place, name) => {
    const id = `${place} > ${name}`;
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    return count === 1 ? id : `${id} #${count}`;
  };
}
