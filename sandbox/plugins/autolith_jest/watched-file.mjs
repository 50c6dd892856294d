import fs from "node:fs";
import { guarded } from "../autolith_javascript/guarded.mjs";
import { Printed } from "../autolith_javascript/printed.mjs";

/** The name of what is added to jest's result of a file; taken out again by our reporter. */
export const watchedKey = "autolith";

/**
 * One test file while it runs: what each test printed from its set-up to its tear-down, and whether its body ran. Tests
 * that run at the same time are not told apart: what they print is the file's.
 */
export class WatchedFile {
  #printed;
  #tests = new Map();
  #ofFile = new Map();
  #isConcurrent;

  constructor(environment, path) {
    this.#printed = new Printed(environment.global);
    this.#isConcurrent = guarded(() => /\.concurrent\b/.test(fs.readFileSync(path, "utf8"))) ?? true;
    guarded(() => this.#watchCircus(environment));
  }

  /** Listens beside the reporters of jasmine, whose factory the test's own realm loads only once. */
  watchJasmine(runtime, factoryFile) {
    guarded(() => {
      const factory = runtime.requireInternalModule(factoryFile);
      const { create } = factory;
      factory.create = (...args) => {
        const jasmine = create(...args);
        jasmine.getEnv().addReporter({
          specStarted: ({ id, fullName }) => this.#begins(id, fullName),
          specDone: ({ id }) => this.#ends(id),
        });
        return jasmine;
      };
    });
  }

  /** The result, in which each failed test has what was seen of it, at its place among the tests. */
  addTo(result) {
    guarded(() => {
      this.#keep(this.#ofFile);
      const seen = Map.groupBy(this.#tests.values(), ({ name }) => name);
      const tests = result.testResults.map(({ ancestorTitles, title, status }) => {
        const test = seen.get([...ancestorTitles, title].join(" "))?.shift();
        if (test === undefined || status !== "failed") return null;
        return { output: [...test.output], ranBody: test.ranBody };
      });
      result[watchedKey] = { tests, output: [...this.#ofFile] };
    });
    return result;
  }

  /** Leaves everything as it was. */
  close() {
    this.#printed.close();
  }

  /** Events: https://github.com/jestjs/jest/blob/main/packages/jest-types/src/Circus.ts */
  #watchCircus(environment) {
    const original = environment.handleTestEvent;
    environment.handleTestEvent = (event, ...others) => {
      guarded(() => this.#told(event));
      return original?.call(environment, event, ...others);
    };
  }

  #told({ name, test, concurrent }) {
    if (name === "add_test" && concurrent === true) this.#isConcurrent = true;
    else if (name === "test_start") this.#begins(test, nameOf(test)).ranBody = false;
    // With an error from before, jest leaves the body out.
    else if (name === "test_fn_start") this.#tests.get(test).ranBody = test.concurrent || test.errors.length === 0;
    else if (name === "test_done") this.#ends(test);
  }

  /** A test begins, for the first time or again. */
  #begins(key, name) {
    this.#keep(this.#ofFile);
    if (!this.#tests.has(key)) this.#tests.set(key, { name, output: new Map() });
    return this.#tests.get(key);
  }

  #ends(key) {
    this.#keep(this.#isConcurrent ? this.#ofFile : this.#tests.get(key).output);
  }

  #keep(output) {
    this.#printed.moveTo(output);
  }
}

function nameOf(test) {
  const names = [];
  for (let at = test; at?.parent !== undefined; at = at.parent) names.unshift(at.name);
  return names.join(" ");
}
