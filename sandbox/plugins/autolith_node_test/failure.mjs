import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, redact, shorten } from "./values.mjs";

/**
 * The name under which an error carries the locals of the frames that threw it; never enumerable, so that no comparison
 * sees it.
 */
export const localsProperty = "__autolithLocals";

const maxFrames = 40;
const maxCauses = 3;
const messageChars = 4_000;
const operandChars = 4_000;
const maxSourceBytes = 2_000_000;
const readFileSync = fs.readFileSync;
const errorHeader = /^(?:Uncaught )?(\w*(?:Error|Exception))(?: \[\w+\])?: (.*)$/;
const sources = new Map();

/** An error as a record `{ type, message, frames, cause? }`, frames outermost first; null for what is no error. */
export function exceptionOf(error, depth = 0) {
  if (typeof error !== "object" || error === null || typeof error.message !== "string") return null;
  const record = {
    type: String(error.name ?? "Error").slice(0, 200),
    message: shorten(redact(messageOf(error)), messageChars),
    frames: withLocals(framesOf(String(error.stack ?? "")), localsOf(error)).reverse(),
  };
  const cause = depth < maxCauses ? exceptionOf(error.cause, depth + 1) : null;
  return cause === null ? record : { ...record, cause };
}

/**
 * What a process printed about the error that ended it, as an exception record; null when it printed none. Only this
 * text names the place of a syntax error.
 */
export function exceptionIn(output) {
  const lines = output.split("\n");
  const header = lines.findIndex((line) => errorHeader.test(line));
  if (header < 0) return null;
  const [, type, message] = errorHeader.exec(lines[header]);
  const frames = framesOf(lines.slice(header).join("\n")).reverse();
  const place = lines
    .slice(0, header)
    .map((line) => /^(file:\S+|\/\S+):(\d+)$/.exec(line))
    .find((match) => match !== null);
  if (frames.length === 0 && place !== undefined) {
    const [file, line] = [pathOf(place[1]), Number(place[2])];
    frames.push({ file, line, function: "<module>", source: sourceLine(file, line), locals: {} });
  }
  return { type, message: shorten(redact(message), messageChars), frames };
}

/** Operands of a failed `node:assert` assertion, else null. Other assertion libraries use the same names. */
export function assertionOf(error) {
  if (typeof error !== "object" || error === null || !("actual" in error) || !("expected" in error)) return null;
  if (error.code !== "ERR_ASSERTION" && error.name !== "AssertionError") return null;
  return {
    operator: String(error.operator ?? "").slice(0, 100),
    produced: describe(error.actual, operandChars),
    expected: describe(error.expected, operandChars),
  };
}

/** The error that a test's wrapper error holds: what the test threw, whatever its kind. */
export function innermost(wrapper) {
  return wrapper?.code === "ERR_TEST_FAILURE" && wrapper.cause !== undefined ? wrapper.cause : wrapper;
}

/** Frames of a stack text without node's own, innermost first. */
export function framesOf(stack) {
  const frames = [];
  for (const line of stack.split("\n")) {
    const match = /^ {4}at (?:(?:async )?(.*?) \()?(?:async )?([^()]+):(\d+):(\d+)\)?$/.exec(line);
    if (match === null || match[2].startsWith("node:")) continue;
    const file = pathOf(match[2]);
    const frame = {
      file,
      line: Number(match[3]),
      function: match[1] ?? "<anonymous>",
      source: sourceLine(file, Number(match[3])),
      locals: {},
    };
    if (frames.length < maxFrames) frames.push(frame);
  }
  return frames;
}

/** A script's address as a path. */
export function pathOf(url) {
  try {
    return url.startsWith("file:") ? fileURLToPath(url) : url;
  } catch {
    return url;
  }
}

/** One line of a file, trimmed; empty when it cannot be read. */
export function sourceLine(file, line) {
  if (!sources.has(file)) sources.set(file, readLines(file));
  return redact((sources.get(file)[line - 1] ?? "").trim().slice(0, 300));
}

function readLines(file) {
  try {
    return fs.statSync(file).size > maxSourceBytes ? [] : readFileSync(file, "utf8").split("\n");
  } catch {
    return [];
  }
}

function messageOf(error) {
  if (!Array.isArray(error.errors)) return error.message;
  const parts = error.errors.slice(0, 10).map((part) => `- ${part?.name}: ${part?.message}`);
  return [error.message, ...parts].filter((part) => part !== "").join("\n");
}

function localsOf(error) {
  try {
    const text = error[localsProperty];
    return typeof text === "string" ? JSON.parse(text) : [];
  } catch {
    return [];
  }
}

/** Gives each frame the locals that were seen at its place; both lists run from the innermost frame outwards. */
function withLocals(frames, seen) {
  let from = 0;
  for (const each of seen) {
    const index = frames.findIndex(
      (frame, at) =>
        at >= from && frame.file === each.file && (frame.line === each.line || frame.function.endsWith(each.function)),
    );
    if (index < 0) continue;
    frames[index] = { ...frames[index], locals: each.locals };
    from = index + 1;
  }
  return frames;
}
