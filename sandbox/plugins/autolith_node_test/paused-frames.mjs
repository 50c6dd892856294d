import { pathOf, sourceLine } from "./failure.mjs";
import { writtenLine } from "./source-map.mjs";

const maxFrames = 8;
const localsChars = 24_000;

/**
 * Reads a paused thread. The methods are generators of `[method, parameters]` of the inspector's protocol, which get
 * each answer: one caller has to wait for it, another has it at once. `functions` holds the object ids of functions of
 * the paused thread.
 */
export class PausedFrames {
  #workspace;
  #functions;
  #urls = new Map();
  #maps = new Map();

  constructor(workspace) {
    this.#workspace = workspace;
  }

  /** Takes note of a script that was loaded. */
  loaded({ scriptId, url, sourceMapURL }) {
    this.#urls.set(scriptId, pathOf(url));
    if (sourceMapURL?.startsWith("data:")) this.#maps.set(scriptId, sourceMapURL);
  }

  /** Finds the functions that the thread handed over. */
  *findFunctions() {
    const functions = {};
    for (const name of ["describeScopes", "runningTest", "attach"]) {
      const expression = `globalThis[Symbol.for("autolith.functions")].${name}`;
      functions[name] = (yield ["Runtime.evaluate", { expression }]).result.objectId;
    }
    this.#functions = functions;
  }

  /** Frames of the workspace, innermost first, each with its variables. */
  *own(callFrames) {
    const own = callFrames.filter((frame) => this.#isOwn(this.#pathOf(frame))).slice(0, maxFrames);
    const frames = [];
    let left = localsChars;
    for (const frame of own) {
      const file = this.#pathOf(frame);
      const line = writtenLine(this.#maps.get(frame.location.scriptId), frame.location);
      const locals = left > 0 ? yield* this.#localsOf(frame, left) : {};
      left -= Object.values(locals).reduce((sum, text) => sum + text.length, 0);
      frames.push({
        file,
        line,
        function: frame.functionName || "<anonymous>",
        source: sourceLine(file, line),
        locals,
      });
    }
    return frames;
  }

  /** Gives the frames to the error that was thrown. */
  *attach(error, frames) {
    yield* this.#call(this.#functions.attach, [{ objectId: error.objectId }, { value: JSON.stringify(frames) }]);
  }

  /**
   * The test that is running, as `{ file, names }` with the names of what it lies in, too; null when nobody knows.
   * Node's own is known by its functions on the stack, unless it has been left by an `await`.
   */
  *running(callFrames) {
    const isRunner = (frame) =>
      this.#urls.get(frame.location.scriptId)?.startsWith("node:internal/test_runner") &&
      frame.this.className === "Test";
    const frame = callFrames.find(isRunner);
    const test = frame === undefined ? { value: null } : { objectId: frame.this.objectId };
    return (yield* this.#call(this.#functions.runningTest, [test])) ?? null;
  }

  *#localsOf(frame, left) {
    const types = frame.scopeChain.map((scope) => scope.type);
    const end = types.findIndex((type) => type === "local" || type === "module" || type === "script");
    const scopes = frame.scopeChain.slice(0, end + 1);
    const receiver = frame.this.objectId === undefined ? { value: null } : { objectId: frame.this.objectId };
    const scopeArguments = scopes.map((scope) => ({ objectId: scope.object.objectId }));
    return (yield* this.#call(this.#functions.describeScopes, [receiver, { value: left }, ...scopeArguments])) ?? {};
  }

  /**
   * Calls one of the thread's functions there; what it throws inside does not pause again. Values of another context, as
   * `node:vm` makes them, cannot be handed to it: then there is no answer.
   */
  *#call(objectId, args) {
    const functionDeclaration = "function (...args) { return this(...args); }";
    const call = { functionDeclaration, objectId, arguments: args, returnByValue: true, silent: true };
    const answer = yield ["Runtime.callFunctionOn", call];
    return answer?.exceptionDetails === undefined ? answer?.result.value : undefined;
  }

  #pathOf(frame) {
    return this.#urls.get(frame.location.scriptId) ?? frame.url;
  }

  #isOwn(path) {
    return path.startsWith(`${this.#workspace}/`) && !path.includes("/node_modules/");
  }
}

/** Errors that tests expect are thrown, too; past these numbers the rest of the run goes on unwatched. */
export class Allowance {
  #pauses = 1_000;
  #recorded = 100;

  /** Takes one pause, and one more error that was given its locals. */
  take({ hasLocals }) {
    this.#pauses -= 1;
    if (hasLocals) this.#recorded -= 1;
    return this.#pauses > 0 && this.#recorded > 0;
  }
}
