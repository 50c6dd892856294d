import { Report } from "../autolith_javascript/report.mjs";
import { request } from "../autolith_javascript/request.mjs";
import { TaskRecords } from "./task-records.mjs";

/** Where vitest's reporter file finds the reporter. */
export const handOver = Symbol.for("autolith.vitest");

/**
 * Writes JSON lines to the file that AUTOLITH_REPORT names. Vitest 3 and later call the methods about modules and cases,
 * earlier versions those about files and tasks; beneath both lie the same tasks. What a method throws would fail the
 * run: a report that is broken lacks its closing record instead.
 */
export class RunReporter {
  /** The repository's own version. */
  static version = "";
  #records;
  #vitest;
  #ended = false;
  #isBroken = false;

  onInit(vitest) {
    this.#vitest = vitest;
    this.#guard(() => {
      const projects = vitest.projects ?? [];
      this.#records = new TaskRecords(new Report("vitest", RunReporter.version), request.select, projects.length > 1);
      process.on("exit", (code) => {
        if (this.#ended && !this.#isBroken) this.#records.end(code);
      });
    });
  }

  onUserConsoleLog(log) {
    this.#guard(() => this.#records.printed(log));
  }

  onCollected(files = []) {
    this.#guard(() => {
      for (const file of files) this.#records.collected(file);
    });
  }

  onTaskUpdate(packs = []) {
    this.#guard(() => {
      for (const [id] of packs) this.#records.updated(this.#vitest.state.idMap.get(id));
    });
  }

  onFinished(files = [], errors = []) {
    this.#finish(files, errors);
  }

  onTestModuleCollected({ task }) {
    this.onCollected([task]);
  }

  onTestCaseResult({ task }) {
    this.#guard(() => this.#records.updated(task));
  }

  onTestModuleEnd({ task }) {
    this.#guard(() => this.#records.updated(task));
  }

  onTestRunEnd(modules = [], errors = []) {
    this.#finish(
      modules.map(({ task }) => task),
      errors,
    );
  }

  #finish(files, errors) {
    if (this.#ended) return;
    this.#guard(() => {
      this.#records.finished(files);
      if (this.#vitest.config?.dangerouslyIgnoreUnhandledErrors !== true) this.#records.problems(errors);
    });
    this.#ended = true;
  }

  #guard(act) {
    try {
      act();
    } catch {
      this.#isBroken = true;
    }
  }
}
