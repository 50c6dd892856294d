import { afterAll, beforeAll, expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { type EngineUnderTest, engineUnderTest } from "../docker/engine-under-test.ts";
import { type SandboxedProject, sandboxedProject, testIn } from "./sandboxed-project.ts";

let under: EngineUnderTest;
let sandbox: Sandbox;
let project: SandboxedProject;

beforeAll(async () => {
  under = await engineUnderTest();
  sandbox = await under.start();
  project = await sandboxedProject(sandbox, null);
});

afterAll(async () => {
  await sandbox[Symbol.asyncDispose]();
  expect(await under.leftOvers()).toEqual([]);
});

test("a failing test of pytest says which files' functions ran during it, import and other tests left out", async () => {
  await project.add({
    "shop/__init__.py": "",
    "shop/cart.py":
      "from shop import tax\n\n\ndef total(net):\n    return net + tax.rate()\n\n\nclass Never:\n    x = 1\n",
    "shop/tax.py": "def rate():\n    return 1\n",
    "shop/other.py": "def other():\n    return 1\n",
    "test_shop.py":
      "from shop import cart, other\n\n\ndef test_other():\n    assert other.other() == 2\n\n\ndef test_total():\n    assert cart.total(1) == 1\n\n\ndef test_nothing():\n    import shop.cart\n    assert False\n",
  });
  const run = await project.run("python3 -m pytest test_shop.py", { reach: true });
  expect(testIn(run, "test_shop.py::test_total").reached).toEqual(["shop/cart.py", "shop/tax.py", "test_shop.py"]);
  expect(testIn(run, "test_shop.py::test_other").reached).toEqual(["shop/other.py", "test_shop.py"]);
  expect(testIn(run, "test_shop.py::test_nothing").reached).toEqual(["test_shop.py"]);
});

test("a failing test of node:test says which files' functions ran in its process", async () => {
  await project.add({
    "package.json": '{ "type": "module" }\n',
    "src/cart.js": "export function total(net) {\n  return net + 1;\n}\n",
    "src/idle.js": "export const idle = 1;\nexport function never() {}\n",
    "cart.test.js":
      'import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { total } from "./src/cart.js";\nimport "./src/idle.js";\n\ntest("total", () => {\n  assert.equal(total(1), 1);\n});\n',
    "idle.test.js":
      'import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { idle } from "./src/idle.js";\n\ntest("idle", () => {\n  assert.equal(idle, 2);\n});\n',
  });
  const run = await project.run("node --test cart.test.js idle.test.js", { reach: true });
  expect(testIn(run, "cart.test.js > total").reached).toEqual(["cart.test.js", "src/cart.js"]);
  expect(testIn(run, "idle.test.js > idle").reached).toEqual(["idle.test.js"]);
});

test("where nobody asked, nothing is told", async () => {
  const run = await project.run("python3 -m pytest test_shop.py");
  expect(testIn(run, "test_shop.py::test_total").reached).toBeUndefined();
});
