import { numbered } from "../autolith_javascript/report.mjs";
import { relative } from "../autolith_node_test/environment.mjs";

/** Gives tests their ids: `file > outer > name`, with ` #2` and so on for further tests of the same name in one place. */
export class Ids {
  #number = numbered();
  #known = new Map();

  /** The id of a test; an attempt that is repeated has that of the first one. */
  of(test) {
    let first = test;
    while (first.retriedTest?.()) first = first.retriedTest();
    // Workers of parallel mode send each test anew with every event.
    const key = first.__mocha_id__ ?? first;
    if (!this.#known.has(key)) {
      const titles = first.titlePath();
      this.#known.set(key, this.#number([this.fileOf(first), ...titles.slice(0, -1)].join(" > "), titles.at(-1)));
    }
    return this.#known.get(key);
  }

  /** The test file, as a path of the workspace; empty when mocha does not say. */
  fileOf(runnable) {
    for (let each = runnable; each !== undefined && each !== null; each = each.parent) {
      if (typeof each.file === "string") return relative(each.file);
    }
    return "";
  }
}
