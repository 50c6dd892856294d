import { expect, test } from "vitest";
import type { FileChange, Finding } from "../../src/checkout/patch.ts";
import { judgePatch, type PatchBase } from "../../src/checkout/patch-policy.ts";
import type { CheckoutEntry } from "../../src/checkout/snapshot.ts";

/** A tree as a map; an executable file has a star behind its name. */
function tree(files: Readonly<Record<string, string>>): PatchBase {
  const contents = new Map(Object.entries(files).map(([name, text]) => [name.replace(/\*$/, ""), text]));
  const entry = (path: string): CheckoutEntry => {
    const mode = files[`${path}*`] === undefined ? "100644" : "100755";
    return { path, mode, blob: "", size: 0, sha256: "" };
  };
  return {
    entries: new Map([...contents.keys()].map((path) => [path, entry(path)])),
    read: async (path) => {
      const text = contents.get(path);
      return text === undefined ? null : Buffer.from(text);
    },
  };
}

function write(path: string, text: string | Uint8Array = "x\n", executable = false): FileChange {
  return { kind: "write", path, executable, bytes: Buffer.from(text) };
}

async function rules(before: PatchBase, changes: FileChange[], testFiles: string[] = []): Promise<string[]> {
  const findings = await judgePatch(before, changes, { testFiles });
  return findings.map(({ rule, line }) => (line === 0 ? rule : `${rule}:${line}`));
}

const testPaths = [
  "tests/test_a.py",
  "test/a.js",
  "src/__tests__/a.tsx",
  "spec/a_spec.rb",
  "pkg/test_a.py",
  "pkg/a_test.py",
  "app/tests.py",
  "src/a.test.ts",
  "src/a.spec.mjs",
  "a.test.jsx",
  "test-a.js",
  "a-test.cjs",
  "pkg/a_test.go",
  "src/FooTest.java",
  "FooTests.cs",
  "TestFoo.kt",
  "FooSpec.scala",
  "lib/a_test.exs",
  "src/test/java/Helper.java",
  "tests/fixtures/data.json",
  "pkg/testdata/golden.txt",
  "src/__snapshots__/a.ts.snap",
  "a.snap",
  "e2e/login.ts",
  "src/__mocks__/fs.js",
  "tests/__init__.py",
  "a_unittest.cc",
];

test.each(testPaths)("refuses to change the test file %s", async (path) => {
  expect(await rules(tree({ [path]: "old\n" }), [write(path)])).toEqual(["edits-test"]);
  expect(await rules(tree({ [path]: "old\n" }), [{ kind: "delete", path }])).toEqual(["edits-test"]);
  expect(await rules(tree({}), [write(path)])).toEqual(["edits-test"]);
});

const ordinaryPaths = [
  "src/a.py",
  "src/latest.py",
  "src/contest.js",
  "src/attestation.ts",
  "Manifest.java",
  "Contest.java",
  "src/protest.go",
  "README.md",
  "src/testing_tools.py",
  "inspector/a.rb",
  "src/specification.ts",
  "Makefile",
  "requirements.txt",
  "package-lock.json",
  "src/index.ts",
  ".github/CODEOWNERS",
  "tsconfig.json",
  "src/config.ts",
  "webpack.config.js",
  "setup.py",
  "src/testimonial.tsx",
  "src/test-command.ts",
  ".gitignore",
];

test.each(ordinaryPaths)("lets a repair change %s", async (path) => {
  expect(await rules(tree({ [path]: "old\n" }), [write(path)])).toEqual([]);
  expect(await rules(tree({}), [write(path)])).toEqual([]);
});

const protectedPaths: [string, string][] = [
  ["conftest.py", "edits-test-configuration"],
  ["tests/conftest.py", "edits-test-configuration"],
  ["pytest.ini", "edits-test-configuration"],
  [".pytest.ini", "edits-test-configuration"],
  ["tox.ini", "edits-test-configuration"],
  [".coveragerc", "edits-test-configuration"],
  ["noxfile.py", "edits-test-configuration"],
  ["vitest.config.ts", "edits-test-configuration"],
  ["vitest.workspace.json", "edits-test-configuration"],
  ["packages/a/jest.config.cjs", "edits-test-configuration"],
  ["jest.setup.js", "edits-test-configuration"],
  ["src/setupTests.ts", "edits-test-configuration"],
  [".mocharc.json", "edits-test-configuration"],
  [".mocharc", "edits-test-configuration"],
  ["ava.config.mjs", "edits-test-configuration"],
  ["karma.conf.js", "edits-test-configuration"],
  ["playwright.config.ts", "edits-test-configuration"],
  [".github/workflows/ci.yml", "edits-ci"],
  [".github/actions/setup/action.yml", "edits-ci"],
  [".gitlab-ci.yml", "edits-ci"],
  [".circleci/config.yml", "edits-ci"],
  ["Jenkinsfile", "edits-ci"],
  ["azure-pipelines-pr.yml", "edits-ci"],
  [".travis.yml", "edits-ci"],
  [".buildkite/pipeline.yml", "edits-ci"],
  [".github/autolith.yml", "edits-autolith-configuration"],
  [".gitattributes", "edits-git-settings"],
  ["sub/.gitmodules", "edits-git-settings"],
  ["sitecustomize.py", "edits-start-up"],
  ["src/usercustomize.py", "edits-start-up"],
  ["a.pth", "edits-start-up"],
  [".npmrc", "edits-start-up"],
  ["node_modules/vitest/index.js", "edits-dependencies"],
  ["lib/python3.13/site-packages/pytest/__init__.py", "edits-dependencies"],
  [".venv/bin/python", "edits-dependencies"],
];

test.each(protectedPaths)("refuses to change %s (%s)", async (path, rule) => {
  expect(await rules(tree({ [path]: "old\n" }), [write(path)])).toEqual([rule]);
  expect(await rules(tree({}), [write(path)])).toEqual([rule]);
});

const disguises: [string, string][] = [
  ["Tests/Test_A.py", "edits-test"],
  ["CONFTEST.PY", "edits-test-configuration"],
  ["ｃｏｎｆｔｅｓｔ.py", "edits-test-configuration"],
  ["conf\u200btest.py", "edits-test-configuration"],
  ["conftest.py ", "edits-test-configuration"],
  ["conftest.py.", "edits-test-configuration"],
  [".GitHub/Workflows/ci.yml", "edits-ci"],
  [".github/workﬂows/ci.yml", "edits-ci"],
  ["tests /a.txt", "edits-test"],
  ["Node_Modules/a/index.js", "edits-dependencies"],
  [".github\\workflows\\ci.yml", "edits-ci"],
];

test.each(disguises)("sees through the spelling of %j", async (path, rule) => {
  expect(await rules(tree({ [path]: "old\n" }), [write(path)])).toEqual([rule]);
  const asNew = await rules(tree({}), [write(path)]);
  expect(asNew.length).toBe(1);
  expect([rule, "unsafe-path"]).toContain(asNew[0]);
});

test.each([
  "./a.py",
  "../a.py",
  "/a.py",
  "a//b.py",
  ".git/config",
  ".GIT/hooks/x",
  "git~1/config",
  "a.py\n",
  "a.py ",
  "b\u202ea.py",
])("refuses the path %j", async (path) => {
  expect(await rules(tree({}), [write(path)])).toEqual(["unsafe-path"]);
});

test("a rename is judged as a deletion and a new file", async () => {
  const moved: FileChange[] = [{ kind: "delete", path: "tests/test_a.py" }, write("src/old_a.py")];
  expect(await rules(tree({ "tests/test_a.py": "x\n" }), moved)).toEqual(["edits-test"]);
});

test("files that hold the target stay as they are, whatever their names", async () => {
  const before = tree({ "src/checks.py": "x\n", Makefile: "test:\n" });
  const context = { testFiles: ["src/checks.py"], commandFiles: ["Makefile"] };
  const findings = await judgePatch(
    before,
    [write("src/Checks.py"), write("src/checks.py"), write("Makefile")],
    context,
  );
  expect(findings.map(({ rule }) => rule)).toEqual(["edits-test", "edits-test", "edits-test-command"]);
});

test("of a source whose tests are doctests, the code may change and the examples may not", async () => {
  const source = (code: string, value: number) =>
    `def f():\n    """>>> f()\n    ${value}\n    """\n    return ${code}\n`;
  const before = tree({ "src/a.py": source("1", 2) });
  const judge = (change: FileChange) => judgePatch(before, [change], { testFiles: [], doctestFiles: ["src/a.py"] });
  expect(await judge(write("src/a.py", source("2", 2)))).toEqual([]);
  expect((await judge(write("src/a.py", source("1", 1)))).map(({ rule, line }) => [rule, line])).toEqual([
    ["edits-test", 3],
  ]);
  expect((await judge({ kind: "delete", path: "src/a.py" })).map(({ rule }) => rule)).toEqual(["edits-test"]);
});

test("a new module may not take the runner's place", async () => {
  for (const path of [
    "pytest.py",
    "src/unittest.py",
    "_pytest/__init__.py",
    "Pluggy.py",
    "autolith_pytest/__init__.py",
  ]) {
    expect(await rules(tree({}), [write(path)])).toEqual(["shadows-runner"]);
  }
  expect(await rules(tree({ "src/coverage.py": "x\n" }), [write("src/coverage.py")])).toEqual([]);
});

test("says what the model should do instead", async () => {
  const [finding] = await judgePatch(tree({}), [write("tests/test_a.py")], { testFiles: [] });
  expect(finding).toEqual({
    rule: "edits-test",
    file: "tests/test_a.py",
    line: 0,
    severity: "error",
    message:
      "tests, fixtures and snapshots are the specification; repair the code that they test, and add no test file",
  } satisfies Finding);
});

test("a changed executable bit is a warning", async () => {
  const before = tree({ "a.sh": "x\n", "b.sh*": "x\n", "c.sh*": "x\n" });
  const changes = [
    write("a.sh", "x\n", true),
    write("b.sh", "x\n", false),
    write("c.sh", "y\n", true),
    write("new.sh", "x\n", true),
  ];
  const findings = await judgePatch(before, changes, { testFiles: [] });
  expect(findings.map(({ rule, file, severity }) => `${severity} ${rule} ${file}`)).toEqual([
    "warning changes-mode a.sh",
    "warning changes-mode b.sh",
  ]);
});

const manifest = { name: "a", version: "1.0.0", scripts: { test: "vitest" }, dependencies: { b: "1" } };
const json = (value: unknown) => JSON.stringify(value, null, 2);

const packageEdits: [string, unknown, string[]][] = [
  ["a dependency", { ...manifest, dependencies: { b: "2" } }, []],
  ["the order of keys", { dependencies: { b: "1" }, scripts: { test: "vitest" }, version: "1.0.0", name: "a" }, []],
  ["a script", { ...manifest, scripts: { test: "true" } }, ["edits-test-configuration:4"]],
  ["another script", { ...manifest, scripts: { ...manifest.scripts, pretest: "x" } }, ["edits-test-configuration:4"]],
  ["a jest block", { ...manifest, jest: { testMatch: [] } }, ["edits-test-configuration:10"]],
  ["no scripts", { ...manifest, scripts: undefined }, ["edits-test-configuration"]],
];

test.each(packageEdits)("judges %s in package.json", async (_, after, expected) => {
  const before = tree({ "package.json": json(manifest), "packages/b/package.json": json(manifest) });
  expect(await rules(before, [write("package.json", json(after))])).toEqual(expected);
  expect(await rules(before, [write("packages/b/package.json", json(after))])).toEqual(expected);
});

test("judges settings files that come, go or break", async () => {
  const before = tree({
    "package.json": json(manifest),
    "pyproject.toml": "[project]\nname = 'a'\n",
    "setup.cfg": "[flake8]\n",
  });
  const refused = ["edits-test-configuration"];
  expect(await rules(before, [{ kind: "delete", path: "package.json" }])).toEqual(refused);
  expect(await rules(before, [write("package.json", "{")])).toEqual(refused);
  expect(await rules(before, [write("package.json", "[]")])).toEqual(refused);
  expect(await rules(before, [write("pyproject.toml", "= broken")])).toEqual(refused);
  expect(await rules(before, [write("setup.cfg", "addopts = -x\n[flake8]\n")])).toEqual(refused);
  expect(await rules(before, [write("sub/package.json", json({ type: "module" }))])).toEqual([]);
  expect(await rules(before, [write("sub/package.json", json({ scripts: {} }))])).toEqual([
    "edits-test-configuration:2",
  ]);
  expect(await rules(before, [write("sub/setup.cfg", "[tool:pytest]\naddopts = -x\n")])).toEqual([
    "edits-test-configuration:1",
  ]);
  expect(await rules(tree({ "package.json": "{" }), [write("package.json", json({ name: "a" }))])).toEqual([]);
  const deep = `{"scripts":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
  expect((await rules(before, [write("package.json", deep)])).length).toBe(1);
});

const toml =
  "[project]\nname = 'a'\nversion = '1'\n\n[tool.ruff]\nline-length = 100\n\n[tool.pytest.ini_options]\naddopts = '-q'\n";
const tomlEdits: [string, string, string, string[]][] = [
  ["a version", "version = '1'", "version = '2'", []],
  ["another tool", "line-length = 100", "line-length = 120", []],
  ["poetry", "[tool.ruff]", "[tool.poetry]\nname = 'a'\n[tool.ruff]", []],
  ["pytest's options", "addopts = '-q'", "addopts = '-q --deselect x'", ["edits-test-configuration:8"]],
  ["pytest's table", "tool.pytest.ini_options", "tool.other", ["edits-test-configuration"]],
  ["coverage", "[tool.ruff]", "[tool.coverage.report]\nfail_under = 0\n[tool.ruff]", ["edits-test-configuration:5"]],
  ["tox", "[tool.ruff]", "[tool.tox]\nenv_list = []\n[tool.ruff]", ["edits-test-configuration:5"]],
  ["a quoted key", "[tool.ruff]", "[tool.'coverage']\nrun = {}\n[tool.ruff]", ["edits-test-configuration:5"]],
  [
    "a pytest plugin",
    "[tool.ruff]",
    "[project.entry-points.pytest11]\na = 'a'\n[tool.ruff]",
    ["edits-test-configuration:5"],
  ],
];

test.each(tomlEdits)("judges %s in pyproject.toml", async (_, from, to, expected) => {
  const before = tree({ "pyproject.toml": toml });
  expect(await rules(before, [write("pyproject.toml", toml.replace(from, to))])).toEqual(expected);
});

const ini = "[metadata]\nname = a\n\n[tool:pytest]\n# why\naddopts =\n    -q\n    -x\n\n[coverage:run]\nbranch = 1\n";
const iniEdits: [string, string, string, string[]][] = [
  ["metadata", "name = a", "name = b", []],
  ["a comment", "# why", "; because", []],
  ["pytest's options", "    -x\n", "    -x\n    -k not_it\n", ["edits-test-configuration:4"]],
  ["an option that hides behind a bracket", "    -x\n", "    [x]\n    -k not_it\n", ["edits-test-configuration:4"]],
  ["coverage", "branch = 1", "branch = 0", ["edits-test-configuration:10"]],
  [
    "a second section",
    "[coverage:run]",
    "[tool:pytest] # more\naddopts = -k x\n[coverage:run]",
    ["edits-test-configuration:4"],
  ],
  ["an indented header", "name = a", "name = a\n  [tool:pytest]\n  addopts = -k x", ["edits-test-configuration:3"]],
];

test.each(iniEdits)("judges %s in setup.cfg", async (_, from, to, expected) => {
  expect(await rules(tree({ "setup.cfg": ini }), [write("setup.cfg", ini.replace(from, to))])).toEqual(expected);
});

const vite =
  "export default {\n  server: { port: 1 },\n  test: {\n    include: ['a'], // '}'\n  },\n  base: '/',\n};\n";

test.each([
  ["the server", "port: 1", "port: 2", []],
  ["the block of vitest", "['a']", "[]", ["edits-test-configuration:3"]],
  ["a second block", "base: '/'", "base: '/', ...{ test: {} }", ["edits-test-configuration:3"]],
])("judges %s in a Vite configuration", async (_, from, to, expected) => {
  expect(await rules(tree({ "vite.config.ts": vite }), [write("vite.config.ts", vite.replace(from, to))])).toEqual(
    expected,
  );
});

const skips: [string, string][] = [
  ["a.py", "pytest.skip('x')"],
  ["a.py", "    pytest . skip ('x')"],
  ["a.py", "@pytest.mark.skip"],
  ["a.py", "@pytest.mark.skipif(True, reason='x')"],
  ["a.py", "@mark.xfail"],
  ["a.py", "@unittest.skip('x')"],
  ["a.py", "@unittest.skipUnless(False, 'x')"],
  ["a.py", "raise SkipTest('x')"],
  ["a.py", "    self.skipTest('x')"],
  ["a.py", "x = pytest.importorskip('x')"],
  ["a.py", "from pytest import mark, skip"],
  ["a.py", "from pytest import (\n    mark,\n    skip,\n)"],
  ["a.py", "from unittest.case import SkipTest"],
  ["a.ts", "it.skip('x', () => {})"],
  ["a.js", "describe.only('x')"],
  ["a.mjs", "test.todo('x')"],
  ["a.js", "test.concurrent.skip('x')"],
  ["a.js", "test\n  .skip('x')"],
  ["a.js", "it.skip.each`x`"],
  ["a.js", "xit('x')"],
  ["a.js", "t.skip('x')"],
  ["bin/a", "#!/usr/bin/python3\npytest.skip()"],
];

test.each(skips)("refuses a skip marker in %s: %j", async (path, marker) => {
  const found = await rules(tree({ [path]: "" }), [write(path, marker)]);
  expect(found.length).toBe(1);
  expect(found[0]).toMatch(/^adds-skip:\d+$/);
});

const noSkips: [string, string][] = [
  ["a.py", "# pytest.skip('x')"],
  ["a.py", "text = 'pytest.skip()'"],
  ["a.py", "lexer.skip(3)\nskip = 1\nreader.skip_to(2)"],
  ["a.js", "// it.skip('x')"],
  ["a.js", "cursor.skip(3); this.skip(); list.only(1); unit.skip(1); split.skip()"],
  ["a.md", "use `pytest.skip()` and `it.skip()`"],
  ["a.js", "commit.skip('x'); await exit('x'); fit(box)"],
];

test.each(noSkips)("sees no skip marker in %s: %j", async (path, text) => {
  expect(await rules(tree({ [path]: "" }), [write(path, text)])).toEqual([]);
});

test("counts only the skip markers that a change adds", async () => {
  const before = "import pytest\n\ndef a():\n    pytest.skip('x')\n";
  const moved = "import pytest\n\nB = 1\n\ndef a():\n    pytest.skip('x')\n";
  expect(await rules(tree({ "a.py": before }), [write("a.py", moved)])).toEqual([]);
  expect(await rules(tree({ "a.py": before }), [write("a.py", `${moved}    pytest.skip('x')\n`)])).toEqual([
    "adds-skip:7",
  ]);
});

test.each(["pytest.skip()\n", "test:{", "from pytest import (", " "])(
  "judges a file of %j in linear time",
  async (piece) => {
    const judge = async (size: number) => {
      const text = `t${piece.repeat(Math.ceil(size / piece.length))}`;
      const before = process.cpuUsage();
      await judgePatch(tree({}), [write("a.py", text), write("vite.config.ts", text)], { testFiles: [] });
      return process.cpuUsage(before).user;
    };
    const small = Math.max(20_000, Math.min(await judge(250_000), await judge(250_000)));
    expect((await judge(1_000_000)) / small).toBeLessThan(10);
  },
);
