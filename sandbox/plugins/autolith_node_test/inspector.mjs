/** The thread that watches the main thread. See locals.mjs. */
import { Session } from "node:inspector/promises";
import { parentPort, workerData } from "node:worker_threads";
import { writeRecord } from "./environment.mjs";
import { Allowance, PausedFrames } from "./paused-frames.mjs";

/** Before its deadline a process that hangs is asked where it is. */
const beforeDeadlineMs = 1_500;
/** Internals of node that throw and catch all the time; not those of its assertions and file system calls. */
const quiet = ["^node:internal/(?:test_runner|error_serdes|modules|process|main|bootstrap|vm)"];

const { report, workspace, file, deadline } = workerData;
const session = new Session();
const paused = new PausedFrames(workspace);
const allowance = new Allowance();

// Without a listener this thread would end before the main thread answered.
parentPort.on("message", () => undefined);
session.connectToMainThread();
session.on("Debugger.scriptParsed", ({ params }) => paused.loaded(params));
session.on("Debugger.paused", ({ params }) => {
  look(params).catch(() => undefined);
});
await session.post("Debugger.enable", {});
await session.post("Debugger.setBlackboxPatterns", { patterns: quiet });
await ask(paused.findFunctions());
await session.post("Debugger.setPauseOnExceptions", { state: "all" });
parentPort.postMessage("watching");
// Only now, since on a busy machine the start of this thread takes its time, too.
const leftMs = deadline - beforeDeadlineMs - Date.now();
if (leftMs > 0) setTimeout(() => session.post("Debugger.pause"), leftMs);

async function look({ reason, data, callFrames }) {
  try {
    const isThrow = reason === "exception" || reason === "promiseRejection";
    const frames = await ask(paused.own(callFrames));
    const hasLocals = isThrow && frames.length > 0 && data?.objectId !== undefined;
    if (!isThrow) {
      const running = await ask(paused.running(callFrames));
      const hang = { file: running?.file ?? file, test: running?.names ?? null, frames: frames.reverse() };
      writeRecord({ kind: "hang", ...hang }, report);
    } else if (hasLocals) await ask(paused.attach(data, frames));
    if (!allowance.take({ hasLocals })) await session.post("Debugger.setPauseOnExceptions", { state: "none" });
  } finally {
    await session.post("Debugger.resume");
  }
}

/** Puts the questions of a generator to the main thread. */
async function ask(questions) {
  let step = questions.next();
  while (!step.done) step = questions.next(await session.post(...step.value));
  return step.value;
}
