import type { ExceptionReport, Frame, RunResult } from "../sandbox/sandbox.ts";
import { differenceOf } from "./difference.ts";
import { excerpt } from "./excerpt.ts";
import { outputText } from "./output-text.ts";
import { printedIn } from "./printed.ts";
import type { AssertionDetail, TestCase, TestProblem, TestRun } from "./report.ts";

export interface DescribeOptions {
  /** Failing ids to describe first; all failing ones when null. */
  readonly ids?: readonly string[] | null;
  /** How many failing tests are described in full; the rest are only named. */
  readonly most?: number;
}

const shownFrames = 4;
const shownLocals = 12;
const localChars = 300;
const messageChars = 1_500;
const outputChars = 3_000;
/** Of one stream that a failing test printed to. */
const printedChars = 400;
/** Of a value whose difference to the other is shown. */
const valueChars = 300;
/** Operators after which two values should have been alike. */
const equality = /^(?:===?|is|toBe|(?!not).*equal.*)$/i;

/**
 * A test run as text for the model and for people: counts, then each failure with its difference, frames and locals.
 */
export function describeRun(run: TestRun, options: DescribeOptions = {}): string {
  const head = headline(run);
  if (run.report === null) return join([head, describeOutput(run.result)]);
  const failed = run.report.tests.filter((test) => test.status === "failed" || test.status === "error");
  const wanted = new Set(options.ids ?? failed.map((test) => test.id));
  const ordered = [...failed.filter((test) => wanted.has(test.id)), ...failed.filter((test) => !wanted.has(test.id))];
  const most = options.most ?? 3;
  const problems = (run.report.problems ?? []).slice(0, most).map(describeProblem);
  const seen = new Set<string>();
  const failures = ordered.slice(0, most).map((test) => describeFailure(test, seen));
  const parts = [head, describeRetried(run.report.tests), ...problems, ...failures];
  if (ordered.length > most) {
    parts.push(
      `also red: ${ordered
        .slice(most, most + 20)
        .map((test) => test.id)
        .join(", ")}`,
    );
  }
  if (!run.report.complete) parts.push(describeUnfinished(run), describeOutput(run.result));
  // Such as a coverage that is too low: only the runner's own words say why.
  else if (ordered.length + problems.length === 0 && run.result.exitCode !== 0) parts.push(describeOutput(run.result));
  return join(parts);
}

/**
 * One failing test with what it produced, what was expected, the frames that led there, and what it printed, as far as
 * that was not `seen` with another one: what a file prints is told with each of its tests.
 */
function describeFailure(test: TestCase, seen: Set<string>): string {
  const lines = [`${test.status === "error" ? "ERROR" : "FAILED"} ${test.id}`];
  if (test.assertion !== null) {
    lines.push(...describeAssertion(test.assertion));
  }
  if (test.exception !== null) lines.push(describeException(test.exception, "  "), ...describePrinted(test, seen));
  else if (test.message !== "") lines.push(indent(excerpt(test.message, messageChars), "  "));
  return lines.join("\n");
}

function describePrinted({ message }: TestCase, seen: Set<string>): string[] {
  const parts = printedIn(message).map(({ title, text }) => {
    return `  ${title}:\n${indent(excerpt(outputText(text), printedChars), "    ")}`;
  });
  const fresh = parts.filter((part) => !seen.has(part));
  for (const part of fresh) seen.add(part);
  return fresh;
}

/** What came out, what should have, and, when that cannot be seen at a glance, where they differ. */
function describeAssertion({ produced, expected, operator }: AssertionDetail): string[] {
  const difference = equality.test(operator) ? differenceOf(produced, expected) : null;
  const chars = difference === null ? messageChars : valueChars;
  const values = [`  produced: ${cut(produced, chars)}`, `  expected: ${cut(expected, chars)}  (${operator})`];
  if (difference === null) return values;
  return [...values, `  difference, expected [- -] and produced {+ +}:`, indent(difference, "    ")];
}

/** Tests that needed more than one attempt. */
function describeRetried(tests: readonly TestCase[]): string {
  const retried = tests.filter(({ status, attempts = 1 }) => status === "passed" && attempts > 1).slice(0, 20);
  const texts = retried.map(({ id, attempts }) => `${id} (attempt ${attempts})`);
  return texts.length === 0 ? "" : `passed only when tried again: ${texts.join(", ")}`;
}

/** An error outside of any test. */
function describeProblem({ id, message, exception }: TestProblem): string {
  const what = exception === null ? indent(cut(message, messageChars), "  ") : describeException(exception, "  ");
  return `ERROR outside of any test, at ${id}\n${what}`;
}

/** Type, message and the innermost frames with their locals, outermost first. */
export function describeException(exception: ExceptionReport, margin = ""): string {
  const lines = [
    `${margin}${exception.type}: ${indent(cut(exception.message, messageChars), `${margin}  `).trimStart()}`,
  ];
  const skipped = exception.frames.length - shownFrames;
  if (skipped > 0) lines.push(`${margin}  … ${skipped} outer frames`);
  for (const frame of exception.frames.slice(-shownFrames)) lines.push(describeFrame(frame, `${margin}  `));
  if (exception.cause !== undefined)
    lines.push(`${margin}caused by`, describeException(exception.cause, `${margin}  `));
  return lines.join("\n");
}

/** Place and source line of a frame, and its local variables. */
function describeFrame(frame: Frame, margin = ""): string {
  const where = `${margin}at ${frame.file.replace(/^\/work\//, "")}:${frame.line} in ${frame.function}`;
  const lines = [frame.source === "" ? where : `${where}\n${margin}    > ${frame.source}`];
  const locals = Object.entries(frame.locals);
  for (const [name, value] of locals.slice(0, shownLocals))
    lines.push(`${margin}    ${name} = ${cut(value, localChars)}`);
  if (locals.length > shownLocals) lines.push(`${margin}    … ${locals.length - shownLocals} more`);
  return lines.join("\n");
}

function headline(run: TestRun): string {
  const { result, report } = run;
  const seconds = `${(result.durationMs / 1000).toFixed(2)} s`;
  const ending = {
    exited: `exit status ${result.exitCode}`,
    timeout: "stopped at the time limit",
    oom: "killed: out of memory",
    "output-limit": "killed: output or workspace limit",
    signalled: `killed by ${result.signal}`,
    interrupted: "interrupted",
    lost: "lost",
  }[result.status];
  if (report === null) return `The command ended in ${seconds}: ${ending}.`;
  const count = (...kinds: string[]) => report.tests.filter((test) => kinds.includes(test.status)).length;
  const skipped = count("skipped", "xfailed");
  return `${count("passed", "xpassed")} passed, ${count("failed", "error")} failed${skipped > 0 ? `, ${skipped} skipped` : ""} in ${seconds} (${ending}).`;
}

function describeUnfinished(run: TestRun): string {
  const finished = new Set(run.report?.tests.map((test) => test.id));
  const open = run.report?.collected.find((id) => !finished.has(id));
  const where = run.result.stack === null ? "" : `\nwhere it hung:\n${cut(run.result.stack, outputChars)}`;
  return open === undefined
    ? `The run did not reach its end.${where}`
    : `The run did not reach its end; running was: ${open}${where}`;
}

function describeOutput(result: RunResult): string {
  const part = (name: string, text: string) =>
    text.trim() === "" ? "" : `${name}:\n${excerpt(outputText(text).trimEnd(), outputChars)}`;
  return join([part("stdout", result.stdout.text), part("stderr", result.stderr.text)]);
}

function join(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n");
}

function cut(text: string, chars: number): string {
  return text.length <= chars ? text : `${text.slice(0, chars)}…`;
}

function indent(text: string, margin: string): string {
  return text
    .split("\n")
    .map((line) => `${margin}${line}`)
    .join("\n");
}
