import { Report } from "../autolith_javascript/report.mjs";
import { request } from "../autolith_javascript/request.mjs";
import { FileRecords } from "./file-records.mjs";
import { watchedKey } from "./watched-file.mjs";

/** Where jest's reporter file finds the reporter. */
export const handOver = Symbol.for("autolith.jest");

/**
 * Writes JSON lines to the file that AUTOLITH_REPORT named. What a method throws would fail the run: a report that is
 * broken lacks its closing record instead.
 */
export class RunReporter {
  /** The repository's own version. */
  static version = "";
  #report = new Report("jest", RunReporter.version);
  #files = new Map();
  #hasProjects;
  #isBroken = false;

  constructor({ projects = [] }) {
    this.#hasProjects = projects.length > 1;
  }

  /** Of a file that belongs to several projects jest may name the wrong one here: then only its end is believed. */
  onTestCaseStart(test, info) {
    if (!this.#hasProjects) this.#guard(() => this.#recordsOf(test).started(info));
  }

  onTestCaseResult(test, result) {
    if (!this.#hasProjects) this.#guard(() => this.#recordsOf(test).ended(result));
  }

  onTestResult(test, fileResult) {
    const watched = fileResult[watchedKey];
    delete fileResult[watchedKey];
    this.#guard(() => this.#recordsOf(test).finished(fileResult, watched));
  }

  onRunComplete(_contexts, { numFailedTests = 0, numFailedTestSuites = 0, runExecError } = {}) {
    this.#guard(() => {
      if (runExecError) this.#report.write({ kind: "problem", id: "jest" }, { message: String(runExecError.message) });
    });
    if (!this.#isBroken) this.#report.end(numFailedTests + numFailedTestSuites > 0 ? 1 : 0);
  }

  #recordsOf(test) {
    const { displayName } = test.context.config;
    const project = this.#hasProjects ? (displayName?.name ?? displayName ?? "") : "";
    const key = `${test.path}\0${project}`;
    if (!this.#files.has(key)) this.#files.set(key, new FileRecords(this.#report, request.select, test.path, project));
    return this.#files.get(key);
  }

  #guard(act) {
    try {
      act();
    } catch {
      this.#isBroken = true;
    }
  }
}
