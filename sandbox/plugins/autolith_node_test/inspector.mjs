/** The thread that watches the main thread. See locals.mjs. */
import { Session } from "node:inspector/promises";
import { parentPort, workerData } from "node:worker_threads";
import { writeRecord } from "./environment.mjs";
import { pathOf, sourceLine } from "./failure.mjs";

/** Errors that tests expect are thrown, too; past these numbers the rest of the run goes on unwatched. */
const maxRecorded = 100;
const maxPauses = 1_000;
const maxFrames = 8;
const localsChars = 24_000;
/** Before its deadline a process that hangs is asked where it is. */
const beforeDeadlineMs = 1_500;
/** Internals of node that throw and catch all the time; not those of its assertions and file system calls. */
const quiet = ["^node:internal/(?:test_runner|error_serdes|modules|process|main|bootstrap|vm)"];

const { report, workspace, file, remainingMs } = workerData;
const session = new Session();
const urls = new Map();
let pauses = 0;
let recorded = 0;
let functions;

// Without a listener this thread would end before the main thread answered.
parentPort.on("message", () => undefined);
session.connectToMainThread();
session.on("Debugger.scriptParsed", ({ params }) => urls.set(params.scriptId, pathOf(params.url)));
session.on("Debugger.paused", ({ params }) => {
  paused(params).catch(() => undefined);
});
await session.post("Debugger.enable", {});
await session.post("Debugger.setBlackboxPatterns", { patterns: quiet });
functions = await functionsOfMainThread();
await session.post("Debugger.setPauseOnExceptions", { state: "all" });
parentPort.postMessage("watching");
if (remainingMs > beforeDeadlineMs) setTimeout(() => session.post("Debugger.pause"), remainingMs - beforeDeadlineMs);

async function paused({ reason, data, callFrames }) {
  try {
    const isThrow = reason === "exception" || reason === "promiseRejection";
    pauses += 1;
    const frames = await ownFrames(callFrames);
    if (!isThrow)
      writeRecord({ kind: "hang", file, test: await runningTest(callFrames), frames: frames.reverse() }, report);
    else if (frames.length > 0 && data?.objectId !== undefined) {
      recorded += 1;
      await call(functions.attach, [{ objectId: data.objectId }, { value: JSON.stringify(frames) }]);
    }
    if (recorded >= maxRecorded || pauses >= maxPauses)
      await session.post("Debugger.setPauseOnExceptions", { state: "none" });
  } finally {
    await session.post("Debugger.resume");
  }
}

/** Frames of the workspace, innermost first, each with its variables. */
async function ownFrames(callFrames) {
  const own = callFrames.filter((frame) => isOwn(urls.get(frame.location.scriptId) ?? frame.url)).slice(0, maxFrames);
  const frames = [];
  let left = localsChars;
  for (const frame of own) {
    const path = urls.get(frame.location.scriptId) ?? frame.url;
    const line = frame.location.lineNumber + 1;
    const locals = left > 0 ? await localsOf(frame, left) : {};
    left -= Object.values(locals).reduce((sum, text) => sum + text.length, 0);
    frames.push({
      file: path,
      line,
      function: frame.functionName || "<anonymous>",
      source: sourceLine(path, line),
      locals,
    });
  }
  return frames;
}

/**
 * Names of the test whose function is on the stack and of what it lies in, as in its id; null when it has been left by
 * an `await`.
 */
async function runningTest(callFrames) {
  const isRunner = (frame) =>
    urls.get(frame.location.scriptId)?.startsWith("node:internal/test_runner") && frame.this.className === "Test";
  const frame = callFrames.find(isRunner);
  return frame === undefined ? null : ((await call(functions.namesOf, [{ objectId: frame.this.objectId }])) ?? null);
}

async function localsOf(frame, left) {
  const types = frame.scopeChain.map((scope) => scope.type);
  const end = types.findIndex((type) => type === "local" || type === "module" || type === "script");
  const scopes = frame.scopeChain.slice(0, end + 1);
  const receiver = frame.this.objectId === undefined ? { value: null } : { objectId: frame.this.objectId };
  const scopeArguments = scopes.map((scope) => ({ objectId: scope.object.objectId }));
  return (await call(functions.describeScopes, [receiver, { value: left }, ...scopeArguments])) ?? {};
}

/** Calls one of the main thread's functions there; what it throws inside does not pause again. */
async function call(objectId, args) {
  const functionDeclaration = "function (...args) { return this(...args); }";
  const answer = await session.post("Runtime.callFunctionOn", {
    functionDeclaration,
    objectId,
    arguments: args,
    returnByValue: true,
    silent: true,
  });
  return answer.exceptionDetails === undefined ? answer.result.value : undefined;
}

async function functionsOfMainThread() {
  const expression = (name) => `globalThis[Symbol.for("autolith.functions")].${name}`;
  const get = async (name) =>
    (await session.post("Runtime.evaluate", { expression: expression(name) })).result.objectId;
  return { describeScopes: await get("describeScopes"), namesOf: await get("namesOf"), attach: await get("attach") };
}

function isOwn(path) {
  return path.startsWith(`${workspace}/`) && !path.includes("/node_modules/");
}
