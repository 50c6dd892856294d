import { resolve } from "node:path";
import { plain } from "../autolith_javascript/report.mjs";
import { exceptionOf, localsProperty, sourceLine } from "../autolith_node_test/failure.mjs";
import { redact, shorten } from "../autolith_node_test/values.mjs";

const operandChars = 4_000;
/** Packages that lie between a test and what it calls, or that load it. */
const inner = /\/node_modules\/(?:vitest|@vitest|vite|vite-node|chai|tinyspy|tinypool|rollup|rolldown|esbuild)\//;

/** Exception and operands of an error as vitest hands it over. */
export function detailsOf(error, { problem = false } = {}) {
  const exception = cleaned(exceptionOf(error), error);
  return problem ? { exception } : { exception, assertion: assertionOf(error, exception) };
}

/** All errors as one text, each with its difference. */
export function messageOf(errors) {
  return errors
    .map((error) => {
      const head = `${error?.name ?? "Error"}: ${error?.message ?? error}`;
      const diff = typeof error?.diff === "string" ? `\n${error.diff}` : "";
      const frame = typeof error?.frame === "string" ? `\n${error.frame}` : "";
      return plain(`${head}${diff}${frame}`);
    })
    .join("\n\n");
}

function cleaned(exception, error) {
  if (exception === null) return null;
  const frames = exception.frames.map((frame) => ({ ...frame, file: frame.file.replace(/\?.*$/, "") }));
  const own = frames.filter(({ file }) => !inner.test(file) && !file.startsWith("/opt/autolith/"));
  const place = own.length === 0 ? placeOf(error) : null;
  return { ...exception, message: plain(exception.message), frames: place === null ? own : [place] };
}

/**
 * Where a file could not be parsed: some versions hand the place over, of others only the text of esbuild or oxc tells.
 */
function placeOf(error) {
  const { file, line } = error?.__vitest_rollup_error__?.loc ?? error?.loc ?? inText(String(error?.message)) ?? {};
  if (typeof file !== "string" || !Number.isInteger(line)) return null;
  const path = resolve(file.replace(/\?.*$/, ""));
  return { file: path, line, function: "<module>", source: sourceLine(path, line), locals: {} };
}

function inText(message) {
  const match = /^(\/.+?):(\d+):\d+: ERROR:/m.exec(message) ?? /\[ (\S+?):(\d+):\d+ \]/.exec(plain(message));
  return match === null ? null : { file: match[1], line: Number(match[2]) };
}

function assertionOf(error, exception) {
  const { actual, expected } = error ?? {};
  // Earlier versions hand every value over as text.
  const isNothing = (value) => value === undefined || value === "undefined";
  if (error?.name !== "AssertionError" || (isNothing(actual) && isNothing(expected))) return null;
  const matcher = /\.((?:not\.)?to[A-Z]\w*)\(/.exec(exception?.frames.at(-1)?.source ?? "")?.[1];
  const text = (value) => shorten(redact(plain(String(value))), operandChars);
  return {
    operator: String(matcher ?? error.operator ?? "expect").slice(0, 100),
    produced: text(actual),
    expected: text(expected),
  };
}

/** Takes the locals off an error: reporters that people read print every property. */
export function hideLocals(error) {
  for (
    let each = error, depth = 0;
    typeof each === "object" && each !== null && depth < 10;
    each = each.cause, depth += 1
  )
    delete each[localsProperty];
}
