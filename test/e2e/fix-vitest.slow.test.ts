import { readFile } from "node:fs/promises";
import { expect, onTestFinished, test } from "vitest";
import { startModelServer } from "../model-server/model-server.ts";
import { honestFixer } from "../model-server/policies/fixer.ts";
import type { Edit } from "./projects.ts";
import { outputOf, projectFolder, runFix } from "./run-fix.ts";

const dependencies = { vitest: "4.1.12" };
const files = {
  "package.json": JSON.stringify({ private: true, type: "module", scripts: { test: "vitest" }, dependencies }),
  "src/stack.ts":
    "export class Stack<T> {\n  readonly #items: T[] = [];\n\n  push(item: T): this {\n    this.#items.push(item);\n    return this;\n  }\n\n  pop(): T | undefined {\n    return this.#items.shift();\n  }\n\n  get size(): number {\n    return this.#items.length;\n  }\n}\n",
  "test/stack.test.ts":
    'import { describe, expect, test } from "vitest";\nimport { Stack } from "../src/stack.ts";\n\ndescribe("Stack", () => {\n  test("knows its size", () => {\n    expect(new Stack<number>().push(1).size).toBe(1);\n  });\n\n  test("gives the last item first", () => {\n    const stack = new Stack<number>().push(1).push(2);\n    const item = stack.pop();\n    expect(item).toBe(2);\n  });\n});\n',
};
const repair: Edit = { path: "src/stack.ts", old_text: "this.#items.shift()", new_text: "this.#items.pop()" };

// Its packages are installed first.
test("a TypeScript project tested by vitest is repaired: its failing test is the target, in any order", async () => {
  const plan = { edits: [repair], root_cause: "It took the first item.", summary: "Takes the last." };
  const server = await startModelServer({ policy: honestFixer(plan) });
  onTestFinished(async () => server[Symbol.asyncDispose]());
  const folder = projectFolder(files);
  const { NODE_EXTRA_CA_CERTS } = process.env;
  const environment = NODE_EXTRA_CA_CERTS === undefined ? {} : { NODE_EXTRA_CA_CERTS };
  const run = await runFix(["--repo", folder, "--json"], { modelUrl: server.url, environment });
  const output = outputOf(run);
  expect(output, run.stderr).toMatchObject({
    outcome: "fixed",
    proof: { redBefore: true, greenAfter: true, redOnRevert: true, regressions: [] },
  });

  const trace = (await readFile(output.trace, "utf8")).trim().split("\n");
  const runs = trace.map((line) => JSON.parse(line)).filter(({ type }) => type === "test-run");
  expect(runs[0].failing).toEqual(["test/stack.test.ts > Stack > gives the last item first"]);
  expect(runs.map(({ purpose }) => purpose)).toContain("proof: order 1");
  const told = JSON.stringify(server.requests);
  expect(told).toContain("stack = Stack{");
}, 600_000);
