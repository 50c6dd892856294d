import { Session } from "node:inspector/promises";
import { workerData } from "node:worker_threads";
import { looksCell, mostPauses, pausesCell } from "./locals-watch.mjs";
import { isSecretName, redacted, withoutSecrets } from "./redaction.mjs";

const { port, shared, workspace } = workerData;
const mostFrames = 12;
const mostVariables = 40;
const longestValue = 4_096;
const notVariables = new Set(["exports", "require", "module", "__filename", "__dirname", "this"]);

const session = new Session();
session.connectToMainThread();
// A session does not keep its thread alive, a port that is listened to does.
port.on("message", async () => {
  await look("uncaught");
  Atomics.store(shared, looksCell, 1);
});

// The frames of a pause name their script by its id only.
const files = new Map();
session.on("Debugger.scriptParsed", ({ params: { scriptId, url } }) => {
  const file = url.startsWith("file://") ? decodeURI(url.slice("file://".length)) : url;
  const isOurs = file.startsWith("<execution-") || file.startsWith(`${workspace}/`);
  if (isOurs && !file.includes("/node_modules/")) files.set(scriptId, file);
});
session.on("Debugger.paused", async ({ params: { callFrames } }) => {
  try {
    port.postMessage(await watchedFrames(callFrames));
    if (Atomics.add(shared, pausesCell, 1) + 1 >= mostPauses) await look("none");
  } finally {
    await session.post("Debugger.resume");
  }
});
await session.post("Debugger.enable");
await look("uncaught");
port.postMessage("ready");

function look(state) {
  return session.post("Debugger.setPauseOnExceptions", { state });
}

async function watchedFrames(callFrames) {
  const frames = [];
  for (const { location, scopeChain } of callFrames) {
    const file = files.get(location.scriptId);
    if (file === undefined) continue;
    frames.push({ file, line: location.lineNumber + 1, locals: await localsOf(scopeChain) });
    if (frames.length === mostFrames) break;
  }
  return frames;
}

async function localsOf(scopeChain) {
  const locals = {};
  let left = mostVariables;
  for (const { type, object } of scopeChain) {
    if (type !== "local" && type !== "block" && type !== "catch") continue;
    const { result } = await session.post("Runtime.getProperties", {
      objectId: object.objectId,
      ownProperties: true,
      generatePreview: true,
    });
    for (const { name, value } of result) {
      if (value === undefined || notVariables.has(name) || name in locals || left-- <= 0) continue;
      locals[name] = textOf(name, value);
    }
  }
  return locals;
}

function textOf(name, value) {
  if (isSecretName(name) && value.type !== "undefined" && value.subtype !== "null" && value.type !== "boolean") {
    return redacted;
  }
  const text = withoutSecrets(rendered(value));
  return text.length <= longestValue ? text : `${text.slice(0, longestValue - 3)}...`;
}

/** A value as the inspector describes it: no code of the value's own is run. */
function rendered({ type, subtype, value, unserializableValue, description, preview, className }) {
  if (type === "string") return JSON.stringify(value.slice(0, longestValue));
  if (type === "undefined" || subtype === "null") return subtype ?? type;
  if (type === "function") return functionText(description);
  if (type !== "object") return unserializableValue ?? description ?? String(value);
  if (subtype === "error") return description.split("\n")[0];
  if (preview === undefined || ["date", "regexp", "promise"].includes(subtype)) return description ?? className;
  const items = preview.properties.map((property) => item(property, subtype === "array"));
  for (const { key, value: entry } of preview.entries ?? []) {
    items.push(key === undefined ? plain(entry) : `${plain(key)} => ${plain(entry)}`);
  }
  const more = preview.overflow ? ", ..." : "";
  if (subtype === "array") return `[${items.join(", ")}${more}]`;
  return `${description === "Object" ? "" : `${description} `}{${items.length === 0 ? "" : ` ${items.join(", ")}${more} `}}`;
}

function functionText(description) {
  const name = /^(?:async )?(?:function\*?|class) +([\w$]+)/.exec(description)?.[1];
  return name === undefined ? "[Function]" : `[Function ${name}]`;
}

function item({ name, type, subtype, value }, isArray) {
  const shown = isSecretName(name) && type !== "boolean" && subtype !== "null" ? redacted : shownAs(type, value);
  return isArray && /^\d+$/.test(name) ? shown : `${name}: ${shown}`;
}

function plain({ type, description, subtype }) {
  return subtype === "null" ? "null" : shownAs(type, description);
}

function shownAs(type, value) {
  return type === "string" ? JSON.stringify(value) : (value ?? type);
}
