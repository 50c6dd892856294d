import { expect, test } from "vitest";
import { detectTestCommand } from "../../src/runner/detect-test-command.ts";
import { tree } from "./tree.ts";

const script = { "package.json": { scripts: { test: "node --test" } } };
const npmDefault = { "package.json": { scripts: { test: 'echo "Error: no test specified" && exit 1' } } };
const pytestTable = { "pyproject.toml": "[tool.pytest.ini_options]\n" };

test.each([
  ["a package script", script, "npm test"],
  ["the script of npm init and nothing else", npmDefault, null],
  ["the script of npm init beside test files", { ...npmDefault, "a.test.js": "" }, "node --test"],
  ["a pyproject.toml for pytest", pytestTable, "python3 -m pytest"],
  ["a pyproject.toml for something else", { "pyproject.toml": "[tool.ruff]\n" }, null],
  ["a setup.cfg for pytest", { "setup.cfg": "[tool:pytest]\n" }, "python3 -m pytest"],
  ["a conftest.py", { "tests/conftest.py": "" }, "python3 -m pytest"],
  ["a Python test file", { "pkg/test_a.py": "" }, "python3 -m pytest"],
  ["a node test file", { "src/a.test.mjs": "" }, "node --test"],
  ["a file in a test folder", { "test/a.js": "" }, "node --test"],
  ["test files of packages only", { "node_modules/a/a.test.js": "", ".venv/x/test_a.py": "" }, null],
  ["configured Python and a node test file", { ...pytestTable, "a.test.js": "", "b.test.js": "" }, "python3 -m pytest"],
  ["a package script and Python test files", { ...script, "test_a.py": "", "test_b.py": "" }, "npm test"],
  ["both configured, more Python", { ...script, ...pytestTable, "test_a.py": "" }, "python3 -m pytest"],
  ["both configured, more node", { ...script, ...pytestTable, "a.test.js": "" }, "npm test"],
  ["vitest without a script", { "package.json": { devDependencies: { vitest: "^3.0.0" } } }, "npx vitest run"],
  ["jest without a script", { "package.json": { dependencies: { jest: "29" } }, "a.test.js": "" }, "npx jest"],
  [
    "a script beside vitest",
    { "package.json": { ...script["package.json"], devDependencies: { vitest: "3" } } },
    "npm test",
  ],
  ["dependencies that are none", { "package.json": { devDependencies: ["vitest"] } }, null],
  ["a broken manifest", { "package.json": "{", "test_a.py": "" }, "python3 -m pytest"],
  ["nothing", { "README.md": "" }, null],
])("for %s", async (_, files, command) => {
  expect(await detectTestCommand(tree(files))).toBe(command);
});
