import { guarded } from "../autolith_javascript/guarded.mjs";
import { Printed } from "../autolith_javascript/printed.mjs";
import { Report, withOutput } from "../autolith_javascript/report.mjs";
import { request } from "../autolith_javascript/request.mjs";
import { isSelected } from "../autolith_javascript/selection.mjs";
import { assertionOf } from "../autolith_node_test/failure.mjs";
import { exceptionOfMocha } from "./exception.mjs";
import { Ids } from "./ids.mjs";

/** Under this symbol the thread that watches for a hang finds a function that tells which test is running. */
const runningTest = Symbol.for("autolith.runningTest");

/** Turns the events of one run into records. Names of events: https://mochajs.org/api/runner.js.html */
export class RunRecords {
  hasRun = false;
  #ids = new Ids();
  #report;
  #runner;
  #done = new Map();
  #printed;

  constructor(version) {
    this.#report = new Report("mocha", version);
  }

  /** A file that could not be loaded: mocha then runs nothing. */
  loadFailed(file, error) {
    this.#write({ kind: "test", id: file, file, status: "error", durationMs: 0 }, error);
    this.#report.end(1);
  }

  /** Takes out the tests that are not chosen, and listens before any reporter does: those change errors. */
  watch(runner) {
    this.#runner = runner;
    guarded(() => runner.suite.eachTest((test) => this.#ids.of(test)));
    if (request.select !== null) this.#choose(runner.suite);
    const on = (name, take) => runner.on(name, (...args) => guarded(() => take(...args)));
    this.#printed = new Printed(globalThis);
    on("hook", (hook) => /^"(?:before|after) all"/.test(hook.title) && this.#printed.take());
    on("start", () => this.#report.collect(this.#testsIn(runner.suite).map((test) => this.#ids.of(test))));
    on("test", (test) => this.#begins(test));
    on("pass", (test) => this.#ended(test, "passed"));
    on("pending", (test) => this.#ended(test, "skipped"));
    on("fail", (runnable, error) => this.#failed(runnable, error));
    on("end", () => {
      this.#printed.close();
      this.#report.end(runner.failures > 0 ? 1 : 0);
    });
  }

  #begins(test) {
    const id = this.#ids.of(test);
    this.#report.collect([id]);
    const [file, ...names] = id.split(" > ");
    globalThis[runningTest] = () => ({ file, names: names.join(" > ") });
    // What the reporter printed about the test before.
    this.#printed.take();
  }

  #choose(suite) {
    suite.tests = suite.tests.filter((test) => isSelected(this.#ids.of(test), request.select));
    for (const inner of suite.suites) this.#choose(inner);
  }

  /** Tests that are going to run, as mocha itself finds them. */
  #testsIn(suite) {
    const tests = [];
    suite.eachTest((test) => tests.push(test));
    const { _grep: pattern, _invert: isInverted = false } = this.#runner;
    return pattern === undefined ? tests : tests.filter((test) => pattern.test(test.fullTitle()) !== isInverted);
  }

  #failed(runnable, error) {
    const output = this.#printed.take();
    if (runnable.type === "hook") this.#hookFailed(runnable, error, output);
    else if (runnable.type === "test") this.#ended(runnable, "failed", error, output);
    else this.#problem(runnable, error, output);
  }

  /**
   * Tests that a hook kept from running fail with it, also the later ones of its suite, which mocha leaves out; behind
   * the last one it is that one's.
   */
  #hookFailed(hook, error, output) {
    const tests = hook.parent?.eachTest === undefined ? [] : this.#testsIn(hook.parent);
    const current = tests.filter((test) => test === hook.ctx?.currentTest);
    const open = tests.filter((test) => !this.#done.has(this.#ids.of(test)));
    const isLast = /^"after all"/.test(hook.title);
    const done = tests.filter((test) => this.#done.has(this.#ids.of(test)));
    const concerned = isLast ? done.slice(-1) : [...new Set([...current, ...open])];
    for (const test of concerned) this.#ended(test, "error", error, output);
    if (concerned.length === 0) this.#problem(hook, error, output);
  }

  #problem(runnable, error, output) {
    const place = [this.#ids.fileOf(runnable), ...(runnable.titlePath?.() ?? [runnable.title])];
    this.#write({ kind: "problem", id: place.filter((part) => part !== "").join(" > ") }, error, output);
  }

  #ended(test, status, error, output) {
    const id = this.#ids.of(test);
    this.#report.collect([id]);
    this.#done.set(id, status);
    const attempts = Number(test.currentRetry?.() ?? 0) + 1;
    const record = { kind: "test", id, file: this.#ids.fileOf(test), status, durationMs: Number(test.duration ?? 0) };
    if (attempts > 1) record.attempts = attempts;
    if (error === undefined) this.#report.write(record);
    else this.#write(record, error, output);
  }

  #write(record, error, output = []) {
    this.#report.write(record, {
      message: withOutput(String(error?.stack ?? error?.message ?? error ?? ""), output),
      exception: exceptionOfMocha(error),
      assertion: assertionOf(error),
    });
  }
}
