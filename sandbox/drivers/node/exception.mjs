import { fileURLToPath } from "node:url";
import { inspect } from "node:util";
import { sourceLine } from "./sources.mjs";

const longestMessage = 4_096;
const longestChain = 5;
const mostMembers = 10;
const firstFrames = 12;
const lastFrames = 28;
const own = import.meta.url.slice(0, import.meta.url.lastIndexOf("/") + 1);
const framePattern =
  /^\s+at (?:async )?(?:(.*) \()?(?:file:\/\/)?(<execution-\d+>|\/[^():]*|node:[^():]*):(\d+)(?::\d+)?\)?$/;

/** Turns what was thrown into the protocol's `exception`; `watched` are the innermost frames with their locals. */
export function exceptionReport({ error, line }, file, watched) {
  const report = reportOf(error, watched, longestChain, new Set());
  if (report.type === "SyntaxError" && !report.frames.some((frame) => frame.file === file)) {
    report.frames.push({ file, line, function: "<module>", source: sourceLine(file, line), locals: {} });
  }
  return report;
}

function reportOf(error, watched, depth, seen) {
  seen.add(error);
  const report = { type: typeOf(error), message: messageOf(error), frames: framesOf(error, watched) };
  const cause = read(error, "cause") ?? read(error, "errors")?.[0];
  if (cause !== undefined && cause !== null && depth > 1 && !seen.has(cause)) {
    report.cause = reportOf(cause, [], depth - 1, seen);
  }
  return report;
}

function typeOf(error) {
  const name = read(error, "name");
  if (typeof name === "string" && name !== "") return name.slice(0, 200);
  return error === null ? "null" : typeof error;
}

function messageOf(error) {
  const message = read(error, "message");
  let text = typeof message === "string" ? message : safeInspect(error);
  const members = read(error, "errors");
  if (Array.isArray(members)) {
    for (const member of members.slice(0, mostMembers)) text += `\n  ${typeOf(member)}: ${messageOf(member)}`;
    if (members.length > mostMembers) text += `\n  ... ${members.length - mostMembers} more`;
  }
  return text.length <= longestMessage ? text : `${text.slice(0, longestMessage - 3)}...`;
}

/** Frames of the stack's text, outermost first, down from the first one that belongs to the driver. */
function framesOf(error, watched) {
  const stack = read(error, "stack");
  if (typeof stack !== "string") return [];
  const frames = [];
  for (const text of stack.split("\n")) {
    const [, name, path, line] = framePattern.exec(text) ?? [];
    if (path === undefined) continue;
    if (path === "node:inspector" || `file://${path}`.startsWith(own) || path.startsWith("node:internal/deps/acorn"))
      break;
    const file = path.startsWith("/") ? decoded(path) : path;
    frames.push({
      file,
      line: Number(line),
      function: name || "<module>",
      source: sourceLine(file, Number(line)),
      locals: {},
    });
  }
  attachLocals(frames, watched);
  return shortened(frames.reverse());
}

/** Both lists begin with the innermost frame; the watched ones lack frames of native functions. */
function attachLocals(frames, watched) {
  let from = 0;
  for (const { file, line, locals } of watched) {
    const index = frames.findIndex((frame, at) => at >= from && frame.line === line && frame.file === file);
    if (index === -1) continue;
    frames[index].locals = locals;
    from = index + 1;
  }
}

function shortened(frames) {
  const leftOut = frames.length - firstFrames - lastFrames;
  if (leftOut <= 0) return frames;
  const gap = { file: "...", line: 0, function: `<${leftOut} frames left out>`, source: "", locals: {} };
  return [...frames.slice(0, firstFrames), gap, ...frames.slice(-lastFrames)];
}

function decoded(path) {
  try {
    return fileURLToPath(`file://${path}`);
  } catch {
    return path;
  }
}

/** A property of something thrown, which may be anything, getters that throw included. */
function read(value, name) {
  try {
    return (typeof value === "object" && value !== null) || typeof value === "function" ? value[name] : undefined;
  } catch {
    return undefined;
  }
}

function safeInspect(value) {
  try {
    return inspect(value, { depth: 2, maxArrayLength: 20, maxStringLength: longestMessage });
  } catch {
    return `<${typeof value}>`;
  }
}
