import { plain } from "../autolith_javascript/report.mjs";
import { framesOf, sourceLine } from "../autolith_node_test/failure.mjs";
import { describe, redact, shorten } from "../autolith_node_test/values.mjs";

const operandChars = 4_000;
const messageChars = 4_000;
const errorHeader = /^(?:Uncaught )?(\w*(?:Error|Exception))(?: \[\w+\])?: ([\s\S]*)$/;
/** Packages that lie between a test and what it calls, or that load it. */
const inner =
  /\/node_modules\/(?:jest(?:-[\w-]+)?|@jest|expect|@babel|babel-jest|react-scripts|gensync|emittery|p-limit)\//;
const stackLine = /^ {4}at /m;

/** Jest hands errors over as the text that it prints, with what its matchers compared beside it. */
export function failureOf(texts, detail) {
  const plainTexts = texts.map(plain);
  const [text = ""] = plainTexts;
  const assertion = assertionOf(text, detail);
  const isAssertion = assertion !== null || /^(?:Error: )?(?:expect\(|assert[.(])/.test(text);
  const exception = text === "" ? null : exceptionOf(text, isAssertion);
  return { message: plainTexts.join("\n\n"), exception, assertion };
}

function exceptionOf(text, isAssertion) {
  const at = text.search(stackLine);
  const head = (at < 0 ? text : text.slice(0, at)).trim();
  const [, type, message] = errorHeader.exec(head) ?? [];
  const place = placeIn(head);
  const frames = framesOf(text)
    .filter(({ file }) => !inner.test(file))
    .reverse();
  return {
    type: isAssertion ? "AssertionError" : (type ?? "Error"),
    message: shorten(redact(message ?? head), messageChars),
    frames: place === null ? frames : [place],
  };
}

/** The place of a syntax error, as babel or node prints it. */
function placeIn(text) {
  const match = /SyntaxError: (\/[^\n]+?): [^\n]*\((\d+):\d+\)/.exec(text) ?? /^(\/\S+):(\d+)$/m.exec(text);
  if (match === null) return null;
  const [file, line] = [match[1], Number(match[2])];
  return { file, line, function: "<module>", source: sourceLine(file, line), locals: {} };
}

/** Operands of a matcher; of node's assertions, and in earlier versions, only the printed text tells them. */
function assertionOf(text, detail) {
  const found = detail?.matcherResult ?? detail?.error?.matcherResult;
  if (found !== undefined && found !== null && ("actual" in found || "expected" in found))
    return operands(found.name ?? "expect", found.actual, found.expected);
  const operator = /^(?:Error: )?expect\([^\n]*?\)\.((?:not\.)?to\w+)\(|^(assert[.\w]*)\(/.exec(text);
  const expected = /^Expected(?:[\w -]*):(?: +|\n {2})(.*)$/m.exec(text);
  const received = /^Received(?:[\w -]*):(?: +|\n {2})(.*)$/m.exec(text);
  if (operator === null || expected === null || received === null) return null;
  return { operator: operator[1] ?? operator[2], produced: redact(received[1]), expected: redact(expected[1]) };
}

function operands(operator, produced, expected) {
  return {
    operator: String(operator).slice(0, 100),
    produced: describe(produced, operandChars),
    expected: describe(expected, operandChars),
  };
}
