import { guarded } from "./guarded.mjs";

/** Of each stream that one test or one file printed, the last ones. */
const outputChars = 4_000;

/**
 * What is printed in this process: what is written to standard output and error, and where there is jest's console the
 * entries that it keeps until the file has ended. All goes where it went before.
 */
export class Printed {
  #console;
  #entries = 0;
  #texts = new Map();
  #restore = [];

  constructor(global) {
    this.#console = guarded(() => global.console);
    this.#watch("stdout", process.stdout);
    this.#watch("stderr", process.stderr);
  }

  /** What was printed since the last call, by the stream's name. */
  take() {
    const output = new Map();
    this.moveTo(output);
    return output;
  }

  /** The same, put behind what is there. */
  moveTo(output) {
    const entries = guarded(() => this.#console.getBuffer()) ?? [];
    this.#add("console", consoleText(entries.slice(this.#entries)));
    this.#entries = entries.length;
    for (const [name, text] of this.#texts) output.set(name, tail((output.get(name) ?? "") + text));
    this.#texts.clear();
  }

  close() {
    for (const restore of this.#restore) guarded(restore);
  }

  #watch(name, stream) {
    const own = Object.getOwnPropertyDescriptor(stream, "write");
    const { write } = stream;
    const told = (chunk, ...others) => {
      guarded(() => this.#add(name, typeof chunk === "string" ? chunk : Buffer.from(chunk).toString()));
      return write.call(stream, chunk, ...others);
    };
    stream.write = told;
    this.#restore.push(() => {
      if (stream.write !== told) return;
      if (own === undefined) delete stream.write;
      else Object.defineProperty(stream, "write", own);
    });
  }

  #add(name, text) {
    if (text !== "") this.#texts.set(name, tail((this.#texts.get(name) ?? "") + text));
  }
}

/** Entries of jest's console as text, a line each. */
export function consoleText(entries) {
  return entries.map(({ type, message }) => `${type === "log" ? "" : `${type}: `}${message}\n`).join("");
}

function tail(text) {
  return text.slice(-outputChars);
}
