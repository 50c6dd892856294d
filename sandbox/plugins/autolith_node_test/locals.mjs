import { Worker } from "node:worker_threads";
import { report, workspace } from "./environment.mjs";
import { localsProperty } from "./failure.mjs";
import { describe } from "./values.mjs";

const maxNames = 30;
const valueChars = 1_000;
/** Starting takes some 50 ms; tests must not wait longer for what is only a help. */
const startMs = 2_000;
const handOver = Symbol.for("autolith.functions");

/**
 * Starts a thread that watches this one through the inspector: whenever an error is thrown, the local variables of the
 * workspace's frames are attached to it. Resolves when it watches, or when it cannot: then errors just carry no locals.
 */
export async function readLocals({ file, remainingMs }) {
  const functions = { describeScopes, namesOf, attach };
  Object.defineProperty(globalThis, handOver, { value: functions, configurable: true });
  try {
    const worker = new Worker(new URL("./inspector.mjs", import.meta.url), {
      workerData: { report, workspace, file, remainingMs },
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
    });
    await new Promise((resolve) => {
      worker.once("message", resolve).once("exit", resolve).on("error", resolve);
      setTimeout(resolve, startMs).unref();
    });
    worker.unref();
  } catch {
  } finally {
    delete globalThis[handOver];
  }
}

/**
 * Names and values of some scopes' variables, inner scopes first. Called by the inspector while this thread stands
 * still.
 */
function describeScopes(receiver, left, ...scopes) {
  const texts = {};
  if (
    typeof receiver === "object" &&
    receiver !== null &&
    receiver !== globalThis &&
    !contexts.test(receiver.constructor?.name)
  ) {
    texts.this = describe(receiver, valueChars);
  }
  for (const scope of scopes) {
    for (const name of Object.keys(scope)) {
      if (Object.keys(texts).length === maxNames || left <= 0) return texts;
      if (name in texts || moduleWrapper.has(name)) continue;
      texts[name] = describe(scope[name], Math.min(valueChars, left), name);
      left -= texts[name].length;
    }
  }
  return texts;
}

/** What node:test passes as `this`. */
const contexts = /^(?:Test|Suite)Context$/;

/** Parameters of the function that wraps a CommonJS module. */
const moduleWrapper = new Set(["exports", "require", "module", "__filename", "__dirname"]);

/** Gives an error the locals of the frames that threw it first; later throws of the same error change nothing. */
function attach(error, text) {
  if (typeof error !== "object" || error === null || localsProperty in error) return;
  Reflect.defineProperty(error, localsProperty, { value: text, enumerable: false, configurable: true, writable: true });
}

/** `outer > inner` of a test object of node's own. */
function namesOf(test) {
  const names = [];
  for (let each = test; each?.parent; each = each.parent) names.unshift(each.name);
  return names.join(" > ");
}
