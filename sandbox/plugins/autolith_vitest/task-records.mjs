import { numbered, withOutput } from "../autolith_javascript/report.mjs";
import { isSelected } from "../autolith_javascript/selection.mjs";
import { relative } from "../autolith_node_test/environment.mjs";
import { detailsOf, hideLocals, messageOf } from "./failure.mjs";

const outputChars = 8_000;
const final = new Set(["pass", "fail", "skip", "todo"]);

/** Turns vitest's tasks (files, suites, tests) into records. */
export class TaskRecords {
  #report;
  #select;
  #hasProjects;
  #ids = new Map();
  #written = new Set();
  /** Tests that were to run when their file was loaded; later those below a failed set-up are marked as skipped. */
  #due = new Set();
  #output = new Map();

  constructor(report, select, hasProjects) {
    this.#report = report;
    this.#select = select;
    this.#hasProjects = hasProjects;
  }

  /** Keeps what a test printed. */
  printed({ taskId, type, content }) {
    const streams = this.#output.get(taskId) ?? new Map();
    streams.set(type, ((streams.get(type) ?? "") + content).slice(-outputChars));
    this.#output.set(taskId, streams);
  }

  /** A file was loaded, or could not be. */
  collected(file) {
    const project = file.projectName ?? "";
    const path = relative(file.filepath);
    const place = this.#hasProjects && project !== "" ? `${path} > [${project}]` : path;
    this.#ids.set(file.id, place);
    this.#number(file, place, numbered());
    this.#report.collect(
      testsOf(file)
        .filter((test) => !this.#isLeftOut(test))
        .map((test) => this.#ids.get(test.id)),
    );
    if (file.result?.state === "fail") this.#write(file);
  }

  /**
   * A task may have come to its end. Why a test was skipped is known only when its file has ended: the set-up of its
   * suite may have failed.
   */
  updated(task) {
    if (task === undefined || !final.has(task.result?.state)) return;
    if (task.filepath !== undefined) this.#writeAll(task);
    else if (task.type !== "suite" && task.result.state !== "skip") this.#write(task);
    hideLocalsIn([task]);
  }

  /** Every file has come to its end, as far as it ever will. */
  finished(files) {
    for (const file of files) {
      this.#writeAll(file);
      hideLocalsIn([file, ...allIn(file)]);
    }
  }

  /** Errors that nobody caught. */
  problems(errors) {
    for (const error of errors) {
      const file = error?.VITEST_TEST_PATH === undefined ? "" : relative(String(error.VITEST_TEST_PATH));
      const id = [file, error?.VITEST_TEST_NAME].filter(Boolean).join(" > ") || "unhandled error";
      this.#report.write(
        { kind: "problem", id },
        { message: messageOf([error]), ...detailsOf(error, { problem: true }) },
      );
      hideLocals(error);
    }
  }

  end(exitStatus) {
    this.#report.end(exitStatus);
  }

  #number(suite, place, next) {
    for (const task of suite.tasks ?? []) {
      const id = next(place, task.name);
      this.#ids.set(task.id, id);
      if (task.type === "suite") this.#number(task, id, next);
      else if (task.mode === "run" || task.mode === "queued") this.#due.add(task.id);
    }
  }

  #writeAll(file) {
    if (!this.#ids.has(file.id)) this.collected(file);
    for (const task of [file, ...allIn(file)]) this.#write(task);
  }

  #write(task) {
    if (this.#written.has(task.id) || !this.#ids.has(task.id)) return;
    this.#written.add(task.id);
    if (task.type === "suite") this.#writeSuite(task);
    else if (!this.#isLeftOut(task)) this.#writeTest(task);
  }

  #writeSuite(suite) {
    const errors = suite.result?.errors ?? [];
    if (errors.length === 0) return;
    const id = this.#ids.get(suite.id);
    const isFile = suite.filepath !== undefined && testsOf(suite).length === 0;
    const details = { message: messageOf(errors), ...detailsOf(errors[0], { problem: !isFile }) };
    if (!isFile) return this.#report.write({ kind: "problem", id }, details);
    const file = relative(suite.filepath);
    this.#report.write({ kind: "test", id, file, status: "error", durationMs: 0 }, details);
  }

  #writeTest(test) {
    const { result } = test;
    const broken = this.#due.has(test.id) ? suiteThatNeverBegan(test) : null;
    const status = statusOf(test, broken);
    const errors = (broken ?? test).result?.errors ?? [];
    const attempts = 1 + (result?.retryCount ?? 0);
    const record = {
      kind: "test",
      id: this.#ids.get(test.id),
      file: relative(test.file.filepath),
      status,
      durationMs: Math.max(0, result?.duration ?? 0),
      ...(attempts > 1 && { attempts }),
    };
    const message =
      errors.length > 0 ? messageOf(errors) : status === "error" ? "the test did not come to its end" : "";
    if (status === "passed" && message === "") return this.#report.write(record);
    const output = status === "passed" ? [] : (this.#output.get(test.id) ?? []);
    this.#report.write(record, { message: withOutput(message, output), ...detailsOf(errors[0]) });
  }

  /** A test that did not run because others were chosen. */
  #isLeftOut(test) {
    const isSkipped = test.mode === "skip" || test.mode === "todo" || test.result?.state === "skip";
    return isSkipped && !isSelected(this.#ids.get(test.id), this.#select);
  }
}

function statusOf(test, broken) {
  const state = test.result?.state;
  if (broken !== null) return "error";
  if (state === "pass") return test.fails === true ? "xfailed" : "passed";
  if (state === "fail") return "failed";
  return state === "skip" || state === "todo" || test.mode === "skip" || test.mode === "todo" ? "skipped" : "error";
}

/** The suite around a test whose set-up failed: then none of its tests ran. */
function suiteThatNeverBegan(test) {
  if (test.result?.state === "pass" || test.result?.state === "fail") return null;
  for (
    let suite = test.suite ?? test.file;
    suite !== undefined;
    suite = suite === test.file ? undefined : (suite.suite ?? test.file)
  ) {
    const hasErrors = (suite.result?.errors ?? []).length > 0;
    if (hasErrors && !testsOf(suite).some(({ result }) => result?.state === "pass" || result?.state === "fail"))
      return suite;
  }
  return null;
}

/** Later news of a task brings new copies of its errors. */
function hideLocalsIn(tasks) {
  for (const task of tasks) for (const error of task.result?.errors ?? []) hideLocals(error);
}

function allIn(suite) {
  return (suite.tasks ?? []).flatMap((task) => [task, ...allIn(task)]);
}

function testsOf(suite) {
  return allIn(suite).filter(({ type }) => type !== "suite");
}
