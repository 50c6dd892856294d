import path from "node:path";
import { exceptionOf, pathOf, sourceLine } from "../autolith_node_test/failure.mjs";

const own = new URL("../", import.meta.url).pathname;
/** `at f (test/a.js:1:2)`: mocha cuts the working directory off the paths in a stack. */
const cutOff = /^( {4}at (?:.*\()?)(?![a-z]+:|\/|\[|<|async )([^():]+(?=:\d+:\d+\)?$))/gm;
/** Where node says that the syntax is wrong, in front of the error itself. */
const place = /^((?:file:|\/)\S+):(\d+)\n/;

/** An error as a record, without the frames of mocha that led to it; null for what is no error. */
export function exceptionOfMocha(error) {
  const stack = String(error?.stack ?? "");
  const exception = exceptionOf(withFullPaths(error, stack));
  if (exception === null) return null;
  const frames = exception.frames.filter(({ file }) => !isOfRunner(file));
  const [, file, line] = place.exec(stack) ?? [];
  if (frames.length === 0 && file !== undefined) frames.push(frameAt(pathOf(file), Number(line)));
  return { ...exception, frames };
}

function withFullPaths(error, stack) {
  if (typeof error !== "object" || error === null) return error;
  const whole = stack.replaceAll(cutOff, (_, before, file) => `${before}${path.resolve(file)}`);
  return Object.create(error, { stack: { value: whole } });
}

function isOfRunner(file) {
  return /\/node_modules\/(?:mocha|yargs)\//.test(file) || file.startsWith(own);
}

function frameAt(file, line) {
  return { file, line, function: "<module>", source: sourceLine(file, line), locals: {} };
}
