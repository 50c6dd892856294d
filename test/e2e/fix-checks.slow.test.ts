import { expect, test } from "vitest";
import { honestFixer } from "../model-server/policies/fixer.ts";
import { fixWith } from "./fix-with.ts";
import type { Edit, ProjectFiles } from "./projects.ts";

const why = { root_cause: "The source broke the check.", summary: "Satisfy the check." };
const proven = { outcome: "fixed", proof: { redBefore: true, greenAfter: true, redOnRevert: true, findings: [] } };

/** A check of its own: every function says what it returns. */
const python: ProjectFiles = {
  "src/area.py": "def area(width: int, height: int):\n    return width * height\n",
  "src/test_unfinished.py": "def test_red():\n    assert 1 == 2\n",
  "tools/check_types.py":
    'import ast\nimport pathlib\nimport sys\n\nbad = 0\nfor path in sorted(pathlib.Path("src").glob("*.py")):\n    for node in ast.walk(ast.parse(path.read_text())):\n        if isinstance(node, ast.FunctionDef) and node.returns is None and not node.name.startswith("test_"):\n            print(f"{path}:{node.lineno}: error: {node.name} does not say what it returns")\n            bad += 1\nsys.exit(bad > 0)\n',
};
const check = "python3 -m compileall -q src && python3 tools/check_types.py";

/** A build that fails on a source that it cannot read. */
const node: ProjectFiles = {
  "package.json": '{ "name": "site", "type": "module", "scripts": { "build": "node scripts/build.js" } }\n',
  "src/page.json": '{ "title": "Home", }\n',
  "scripts/build.js":
    'import { readFileSync } from "node:fs";\n\nconst page = JSON.parse(readFileSync("src/page.json", "utf8"));\nconsole.log("<h1>" + page.title + "</h1>");\n',
};

test.each<[string, ProjectFiles, string, Edit]>([
  ["Python", python, check, { path: "src/area.py", old_text: "height: int):", new_text: "height: int) -> int:" }],
  ["Node", node, "npm run build", { path: "src/page.json", old_text: '"Home", }', new_text: '"Home" }' }],
])("%s: a check or a build is repaired, and no unit test has to be green", async (_, files, command, edit) => {
  const { output } = await fixWith(honestFixer({ edits: [edit], ...why }), files, ["--test", command]);
  expect(output).toMatchObject(proven);
});

test.each<[string, Edit, string]>([
  [
    "a comment",
    { path: "src/area.py", old_text: "height: int):", new_text: "height: int):  # noqa" },
    "adds-suppression",
  ],
  [
    "an edit of the check",
    { path: "tools/check_types.py", old_text: "sys.exit(bad > 0)", new_text: "sys.exit(0)" },
    "edits-test-command",
  ],
])("a check is not repaired by %s", async (_, edit, rule) => {
  const { output } = await fixWith(honestFixer({ edits: [edit], ...why }), python, ["--test", check]);
  expect(output.outcome).not.toBe("fixed");
  expect(output.proof?.findings.map((finding) => finding.rule)).toContain(rule);
});
