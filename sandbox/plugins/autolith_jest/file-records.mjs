import { consoleText } from "../autolith_javascript/printed.mjs";
import { numbered, withOutput } from "../autolith_javascript/report.mjs";
import { isSelected } from "../autolith_javascript/selection.mjs";
import { relative } from "../autolith_node_test/environment.mjs";
import { failureOf } from "./failure.mjs";

/** Turns jest's results of one file in one project into records. */
export class FileRecords {
  #report;
  #select;
  #file;
  #place;

  constructor(report, select, path, project) {
    this.#report = report;
    this.#select = select;
    this.#file = relative(path);
    this.#place = project === "" ? this.#file : `${this.#file} > [${project}]`;
  }

  /** A test is about to run, for the first time or again: told by jest 29 and later. */
  started(info) {
    this.#report.collect([this.#idOf(info, first)]);
  }

  /** A test passed. One that failed may be tried again, and is told of when its file has ended. */
  ended(result) {
    if (result.status !== "passed" || (result.invocations ?? 1) > 1) return;
    const id = this.#idOf(result, first);
    this.#report.collect([id]);
    this.#write(id, result);
  }

  /** All tests of the file ended; only now is it known which of one name is which. */
  finished({ testResults = [], testExecError, failureMessage, console: printed }, watched) {
    const next = numbered();
    const ofFile = (watched?.output ?? [["console", consoleText(printed ?? [])]]).map(nameOfFile);
    const seen = new Map(testResults.map((result, index) => [result, watched?.tests[index] ?? undefined]));
    const ids = testResults.toSorted(byPlace).map((result) => [this.#idOf(result, next), result]);
    const run = ids.filter(([id, result]) => !isPending(result) || isSelected(id, this.#select));
    this.#report.collect(run.map(([id]) => id));
    for (const [id, result] of run) this.#write(id, result, seen.get(result), ofFile);
    if (testExecError) this.#writeFile(testExecError, failureMessage ?? "", testResults.length === 0);
  }

  #write(id, result, seen, ofFile = []) {
    const attempts = result.invocations ?? 1;
    const status = statusOf(result, seen);
    const record = {
      kind: "test",
      id,
      file: this.#file,
      status,
      durationMs: Math.max(0, result.duration ?? 0),
      ...(attempts > 1 && { attempts }),
    };
    const texts = status === "skipped" ? [] : [...(result.retryReasons ?? []), ...(result.failureMessages ?? [])];
    if (texts.length === 0) return this.#report.write(record);
    const { message, exception, assertion } = failureOf(texts, result.failureDetails?.[0]);
    const output = result.status === "failed" ? [...ofFile, ...(seen?.output ?? [])] : [];
    this.#report.write(record, { message: withOutput(message, output), exception, assertion });
  }

  /** A file that could not be loaded; a file whose tests ran has an error outside of them. */
  #writeFile(error, printed, isFile) {
    const text = String(error.stack ?? error.message ?? printed);
    const { message, exception } = failureOf([text], undefined);
    const record = isFile
      ? { kind: "test", id: this.#place, file: this.#file, status: "error", durationMs: 0 }
      : { kind: "problem", id: this.#place };
    this.#report.write(record, { message, exception });
  }

  #idOf({ ancestorTitles = [], title }, next) {
    return next([this.#place, ...ancestorTitles].join(" > "), title);
  }
}

/** The id of the first test of a name. */
function first(place, title) {
  return `${place} > ${title}`;
}

function isPending({ status }) {
  return status === "pending" || status === "todo" || status === "disabled";
}

/** A test whose body never ran was failed by a set-up, its own or that of a suite. */
function statusOf(result, seen) {
  if (isPending(result)) return "skipped";
  if (result.status === "failed") return seen?.ranBody === false ? "error" : "failed";
  return result.failing === true ? "xfailed" : "passed";
}

/** As they are written, when places are known: only in another order of the tests are they asked for. */
function byPlace({ location: one }, { location: other }) {
  if (!one || !other) return 0;
  return one.line - other.line || one.column - other.column;
}

function nameOfFile([stream, text]) {
  return [`${stream} of the file`, text];
}
