import { Session } from "node:inspector";
import { inspect } from "node:util";
import { Script } from "node:vm";
import { withImports } from "./imports.mjs";

const step = Symbol.for("autolith.step");
const take = Symbol.for("autolith.take");
const longestValue = 16_384;
const group = "autolith";
const inspectOptions = { depth: 4, maxArrayLength: 100, maxStringLength: 10_000, breakLength: 120, getters: false };

/**
 * Runs code on this thread as V8's own console does: variables are kept, `const` and `class` may be declared again, `await` is
 * allowed at the top level. V8 does that for its inspector only, hence the session. All of it happens below a script that
 * SIGINT breaks, so a loop ends with its state kept; a loop after an `await` does not.
 */
export class Evaluation {
  #session = new Session();
  #script = new Script(`globalThis[Symbol.for("autolith.step")]()`);
  #finish = null;
  #taken;
  /** True while an interrupted execution may still wait for something. */
  isAbandoned = false;
  #withImports;
  #listeners = {
    SIGINT: () => {
      if (this.#finish === null) return;
      this.isAbandoned = true;
      this.#finish({ outcome: "interrupted" });
    },
    uncaughtException: (error) => this.#uncaught(error),
    unhandledRejection: (reason) => this.#complain("Unhandled rejection", reason),
  };

  constructor(workspace) {
    this.#session.connect();
    this.#withImports = withImports(workspace);
    hidden(step, () => undefined);
    hidden(take, (value) => {
      this.#taken = value;
    });
  }

  /** Calls `done` once with `{ outcome, value }` or `{ outcome, thrown: { error, line } }`. */
  run(file, code, done) {
    this.#restoreListeners();
    this.#finish = (result) => {
      this.#finish = null;
      this.#session.post("Runtime.releaseObjectGroup", { objectGroup: group });
      done(result);
    };
    const finish = this.#finish;
    let expression;
    try {
      expression = `${this.#withImports(code)}\n//# sourceURL=${file}`;
    } catch (error) {
      finish({ outcome: "error", thrown: { error, line: error.line ?? 0 } });
      return;
    }
    const params = { expression, replMode: true, awaitPromise: true, objectGroup: group };
    // V8 finds out whether an exception will be caught by looking at the stack: nothing on it may catch, so it starts here.
    setImmediate(() => {
      if (this.#finish !== finish) return;
      globalThis[step] = () => this.#session.post("Runtime.evaluate", params, evaluated);
      this.#script.runInThisContext({ breakOnSigint: true });
    });
    const evaluated = (error, answer) => {
      if (this.#finish === finish) finish(error ? { outcome: "interrupted" } : this.#outcome(answer));
    };
  }

  /** Puts back what user code may have removed, and takes away what would keep an interrupt from arriving here. */
  #restoreListeners() {
    this.isAbandoned = false;
    process.removeAllListeners("SIGINT");
    for (const [name, listener] of Object.entries(this.#listeners)) {
      if (!process.listeners(name).includes(listener)) process.prependListener(name, listener);
    }
  }

  /** What nobody caught: an interrupt of the running code, or a mistake in something that it started earlier. */
  #uncaught(error) {
    if (error?.code === "ERR_SCRIPT_EXECUTION_INTERRUPTED") this.#finish?.({ outcome: "interrupted" });
    else this.#complain("Uncaught", error);
  }

  /** Prints what went wrong in the background. */
  #complain(words, error) {
    const lines = this.#inspected(error).split("\n");
    const isOwn = (line) =>
      /^\s+at /.test(line) && /\(?node:(?:inspector|vm|internal)|drivers\/node\/|evalmachine/.test(line);
    process.stderr.write(`${words} ${lines.filter((line) => !isOwn(line)).join("\n")}\n`);
  }

  #outcome({ result, exceptionDetails }) {
    if (exceptionDetails) {
      const error = this.#valueOf(exceptionDetails.exception ?? result);
      return { outcome: "error", thrown: { error, line: exceptionDetails.lineNumber + 1 } };
    }
    if (result.type === "undefined") return { outcome: "ok", value: null };
    return { outcome: "ok", value: this.#inspected(this.#valueOf(result)) };
  }

  /** The value itself behind the inspector's description of it. */
  #valueOf(remote) {
    if (remote.objectId === undefined) {
      if (remote.type === "bigint") return BigInt(remote.unserializableValue.slice(0, -1));
      if (remote.unserializableValue !== undefined) return Number(remote.unserializableValue);
      return remote.subtype === "null" ? null : remote.value;
    }
    const functionDeclaration = `function () { "use strict"; globalThis[Symbol.for("autolith.take")](this) }`;
    this.#taken = undefined;
    this.#session.post("Runtime.callFunctionOn", { objectId: remote.objectId, functionDeclaration });
    const value = this.#taken;
    this.#taken = undefined;
    return value;
  }

  /** Text of a value. Its own `inspect` method may be called, and may be interrupted like any user code. */
  #inspected(value) {
    let text = "";
    globalThis[step] = () => {
      text = inspect(value, inspectOptions);
    };
    try {
      this.#script.runInThisContext({ breakOnSigint: true });
    } catch (error) {
      text = `<${typeof value}: inspect threw ${typeof error === "object" ? error?.constructor?.name : typeof error}>`;
    }
    return text.length <= longestValue ? text : `${text.slice(0, longestValue - 3)}...`;
  }
}

function hidden(name, value) {
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
}
