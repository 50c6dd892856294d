import { Worker } from "node:worker_threads";
import { relative, report, workspace } from "./environment.mjs";
import { localsProperty } from "./failure.mjs";
import { describe } from "./values.mjs";

const maxNames = 30;
const valueChars = 1_000;
/** Starting takes some 50 ms, on a busy machine seconds; tests must not wait longer for what is only a help. */
const startMs = 5_000;
const handOver = Symbol.for("autolith.functions");

/**
 * Starts a thread that watches this one through the inspector: whenever an error is thrown, the local variables of the
 * workspace's frames are attached to it. Resolves when it watches, or when it cannot: then errors just carry no locals.
 * `asJson` is for runners that hand errors on by their `toJSON`, which looks at enumerable properties only.
 */
export async function readLocals({ file, remainingMs, asJson = false }) {
  await handedOver({ asJson }, async () => {
    const worker = new Worker(new URL("./inspector.mjs", import.meta.url), {
      workerData: { report, workspace, file, deadline: Date.now() + remainingMs },
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
  });
}

/** Lets the inspector find the functions that it calls, for as long as `use` takes; what that throws is forgotten. */
export function handedOver({ asJson }, use) {
  const attach = (error, text) => attachLocals(error, text, asJson && typeof error?.toJSON === "function");
  const functions = { describeScopes, runningTest, attach };
  Object.defineProperty(globalThis, handOver, { value: functions, configurable: true });
  const takeBack = () => delete globalThis[handOver];
  try {
    const result = use();
    if (result instanceof Promise) return result.catch(() => undefined).finally(takeBack);
  } catch {}
  return takeBack();
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
      if (name in texts || moduleWrapper.test(name)) continue;
      texts[name] = describe(scope[name], Math.min(valueChars, left), name);
      left -= texts[name].length;
    }
  }
  return texts;
}

/** What node:test and mocha pass as `this`. */
const contexts = /^(?:(?:Test|Suite)Context|Context)$/;

/** Parameters of the function that wraps a CommonJS module, and what vite puts around a module. */
const moduleWrapper = /^(?:exports|require|module|__filename|__dirname|__vi(?:te)?_\w+)$/;

/** Gives an error the locals of the frames that threw it first; later throws of the same error change nothing. */
function attachLocals(error, text, enumerable) {
  if (typeof error !== "object" || error === null || localsProperty in error) return;
  Reflect.defineProperty(error, localsProperty, { value: text, enumerable, configurable: true, writable: true });
}

/**
 * File and `outer > inner` of a test object of node's own, or else of the test that mocha or vitest says is running. For
 * vitest its file is another for each test, and with several projects nothing here tells how its id begins.
 */
function runningTest(test) {
  const names = [];
  for (let each = test; each?.parent; each = each.parent) names.unshift(each.name);
  if (names.length > 0) return { names: names.join(" > ") };
  const ofMocha = globalThis[Symbol.for("autolith.runningTest")]?.();
  if (ofMocha !== undefined) return ofMocha;
  const current = globalThis.__vitest_worker__?.current;
  if (typeof current?.name !== "string" || current.file?.projectName) return null;
  for (let each = current; each !== undefined && each !== current.file; each = each.suite)
    if (each.name !== "") names.unshift(each.name);
  return { file: relative(current.file.filepath), names: names.join(" > ") };
}
