import path from "node:path";
import { relative } from "./environment.mjs";

/**
 * Gives tests their ids: `file > outer > name`, with ` #2` and so on for further tests of the same name in the same
 * place. Newer versions of node number their tests; for older ones the order of events tells what lies in what.
 */
export class Ids {
  #byNumber = new Map();
  #suites = new Set();
  #stacks = new Map();
  #siblings = new Map();

  /**
   * Notes a test at the first event that mentions it. Returns its id once it is about to run, else undefined; suites
   * have none.
   */
  note(type, data) {
    if (isFile(data)) return undefined;
    if (data.testId === undefined) return type === "test:start" ? this.#pushed(data) : undefined;
    if (type === "test:enqueue") this.#number(data);
    const id = this.#byNumber.get(numberOf(data));
    return type === "test:dequeue" && !this.#suites.has(id) ? id : undefined;
  }

  /** The id of the test or suite that an ending event is about. */
  of(data) {
    const file = fileOf(data);
    if (isFile(data)) return relative(file);
    if (data.testId === undefined) return this.#stacks.get(file)?.[data.nesting] ?? `${relative(file)} > ${data.name}`;
    // A test that a failed hook kept from running was never announced.
    return this.#byNumber.get(numberOf(data)) ?? this.#number(data);
  }

  #number(data) {
    const parent = this.#byNumber.get(`${fileOf(data)}\0${data.parentId}`) ?? relative(fileOf(data));
    const id = this.#unique(parent, data.name);
    this.#byNumber.set(numberOf(data), id);
    if (data.type === "suite") this.#suites.add(id);
    return id;
  }

  #pushed(data) {
    const file = fileOf(data);
    const stack = this.#stacks.get(file) ?? [];
    this.#stacks.set(file, stack);
    stack.length = Math.min(stack.length, data.nesting);
    stack.push(this.#unique(stack.at(-1) ?? relative(file), data.name));
    return undefined;
  }

  #unique(parent, name) {
    const id = `${parent} > ${name}`;
    const count = (this.#siblings.get(id) ?? 0) + 1;
    this.#siblings.set(id, count);
    return count === 1 ? id : `${id} #${count}`;
  }
}

function numberOf(data) {
  return `${fileOf(data)}\0${data.testId}`;
}

/** The file that node was told to run, which may differ from the one that calls `test()`. */
export function fileOf(data) {
  return data.entryFile ?? data.file ?? "";
}

/** True for the event about a test file's process as a whole. */
export function isFile(data) {
  return (
    data.nesting === 0 &&
    data.file !== undefined &&
    data.entryFile === undefined &&
    path.resolve(data.name) === data.file
  );
}
