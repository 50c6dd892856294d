import { Session } from "node:inspector";
import { workspace } from "./environment.mjs";
import { handedOver } from "./locals.mjs";
import { Allowance, PausedFrames } from "./paused-frames.mjs";

/**
 * Does for a worker thread what another thread does for the main one: a session of the inspector reaches its own thread
 * or the main one, no other. The thread is told of a pause before it stands still, and its questions are answered at
 * once; where it hangs it cannot say.
 */
export function readThreadLocals({ asJson }) {
  const session = new Session();
  const paused = new PausedFrames(workspace);
  const allowance = new Allowance();
  session.connect();
  session.on("Debugger.scriptParsed", ({ params }) => paused.loaded(params));
  session.on("Debugger.paused", ({ params: { data, callFrames } }) => {
    let hasLocals = false;
    try {
      const frames = ask(session, paused.own(callFrames));
      hasLocals = frames.length > 0 && data?.objectId !== undefined;
      if (hasLocals) ask(session, paused.attach(data, frames));
    } catch {}
    if (!allowance.take({ hasLocals })) post(session, "Debugger.setPauseOnExceptions", { state: "none" });
    post(session, "Debugger.resume");
  });
  post(session, "Debugger.enable", {});
  handedOver({ asJson }, () => ask(session, paused.findFunctions()));
  post(session, "Debugger.setPauseOnExceptions", { state: "all" });
}

function ask(session, questions) {
  let step = questions.next();
  while (!step.done) step = questions.next(post(session, ...step.value));
  return step.value;
}

function post(session, method, parameters) {
  let answer;
  session.post(method, parameters, (_error, result) => {
    answer = result;
  });
  return answer;
}
