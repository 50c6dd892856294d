import { expect, test } from "vitest";
import { honestFixer } from "../model-server/policies/fixer.ts";
import { fixWith } from "./fix-with.ts";
import type { Edit, ProjectFiles } from "./projects.ts";

const why = { root_cause: "The code was wrong.", summary: "Corrected the code." };

const python: ProjectFiles = {
  "shop/__init__.py": "",
  "shop/price.py": "def total(prices, discount):\n    return sum(prices) - discount - 1\n",
  "tests/__init__.py": "",
  "tests/test_price.py":
    "import unittest\n\nfrom shop.price import total\n\n\nclass Total(unittest.TestCase):\n    def test_discount(self):\n        self.assertEqual(total([5, 5], 2), 8)\n\n    def test_is_a_number(self):\n        self.assertIsInstance(total([], 0), int)\n",
};

const workspace: ProjectFiles = {
  "package.json": '{ "workspaces": ["packages/*"], "scripts": { "test": "npm test --workspaces" } }\n',
  "packages/sum/package.json": '{ "name": "sum", "type": "module", "scripts": { "test": "node --test" } }\n',
  "packages/sum/sum.js": "export const sum = (a, b) => a - b;\n",
  "packages/sum/test/sum.test.js":
    'import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { sum } from "../sum.js";\n\ntest("adds", () => assert.equal(sum(1, 2), 3));\n',
  "packages/docs/package.json": '{ "name": "docs", "scripts": { "test": "test -f README.md" } }\n',
  "packages/docs/README.md": "# Docs\n",
};

test.each<[string, ProjectFiles, string, Edit, string]>([
  [
    "unittest",
    python,
    "python3 -m unittest",
    { path: "shop/price.py", old_text: " - discount - 1", new_text: " - discount" },
    "tests/test_price.py::Total::test_discount",
  ],
  [
    "packages of a workspace",
    workspace,
    "npm test",
    { path: "packages/sum/sum.js", old_text: "a - b", new_text: "a + b" },
    "packages/sum/test/sum.test.js > adds",
  ],
])("%s: an honest repair is proven", async (_, files, command, edit, id) => {
  const { output, stderr } = await fixWith(honestFixer({ edits: [edit], ...why }), files, ["--test", command]);
  expect(output).toMatchObject({
    outcome: "fixed",
    proof: { redBefore: true, greenAfter: true, redOnRevert: true, regressions: [], findings: [] },
  });
  expect(stderr).toContain(id);
});
