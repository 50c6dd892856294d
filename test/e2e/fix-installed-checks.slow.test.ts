import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { removeLayersOf } from "../dependencies/layers-left.ts";
import { engineUnderTest } from "../docker/engine-under-test.ts";
import { startModelServer } from "../model-server/model-server.ts";
import { honestFixer } from "../model-server/policies/fixer.ts";
import { debianPython } from "../registry/debian-python.ts";
import { startRegistry } from "../registry/registry.ts";
import { npmLockfile } from "./npm-lockfile.ts";
import type { Edit, ProjectFiles } from "./projects.ts";
import { type FixOutput, outputOf, projectFolder, runFix } from "./run-fix.ts";

/** One for all runs, so that each project is installed once. */
const data = mkdtempSync(join(tmpdir(), "autolith-data-"));
const proven = { outcome: "fixed", proof: { redBefore: true, greenAfter: true, redOnRevert: true, findings: [] } };
const why = { root_cause: "The source broke the check.", summary: "Satisfy the check." };

afterAll(async () => {
  await removeLayersOf(data);
  rmSync(data, { recursive: true });
});

function project(name: string, manifest: object, files: ProjectFiles): ProjectFiles {
  const whole = { name, version: "1.0.0", private: true, type: "module", ...manifest };
  return { "package.json": JSON.stringify(whole, null, 2), "package-lock.json": npmLockfile(whole), ...files };
}

/** A name that may be missing is used as if it were always there. */
const typescript = project(
  "typed",
  { scripts: { typecheck: "tsc --noEmit" }, devDependencies: { typescript: "5.9.3" } },
  {
    "tsconfig.json": '{ "compilerOptions": { "strict": true, "module": "nodenext" }, "include": ["src"] }\n',
    "src/person.ts": "export interface Person {\n  readonly name?: string;\n}\n",
    "src/greet.ts":
      'import type { Person } from "./person.js";\n\nexport function greet(person: Person): string {\n  return "Hello " + person.name.trim();\n}\n',
  },
);

/** A variable that nobody uses, and a value that nobody defines. */
const eslint = project(
  "linted",
  { scripts: { lint: "eslint ." }, devDependencies: { eslint: "10.15.0" } },
  {
    "eslint.config.js": 'export default [{ rules: { "no-unused-vars": "error", "no-undef": "error" } }];\n',
    "src/sum.js":
      "export function sum(numbers) {\n  let total = 0;\n  for (const each of numbers) totl += each;\n  return 0;\n}\n",
  },
);

async function fix(
  files: ProjectFiles,
  command: string,
  edits: readonly Edit[],
  sources: Readonly<Record<string, string>> = {},
): Promise<FixOutput> {
  await using model = await startModelServer({ policy: honestFixer({ edits, ...why }) });
  const environment = { AUTOLITH_DATA_DIR: data, ...sources };
  const args = ["--repo", projectFolder(files), "--json", "--test", command];
  const run = await runFix(args, { modelUrl: model.url, environment });
  expect(model.problems).toEqual([]);
  return outputOf(run);
}

function edit(path: string, old_text: string, new_text: string): Edit {
  return { path, old_text, new_text };
}

const sum = "  for (const each of numbers) totl += each;\n  return 0;";

test.each<[string, ProjectFiles, string, Edit]>([
  [
    "a type check by tsc",
    typescript,
    "npm run typecheck",
    edit("src/greet.ts", "person.name.trim()", '(person.name ?? "you").trim()'),
  ],
  [
    "a linter, eslint",
    eslint,
    "npm run lint",
    edit("src/sum.js", sum, "  for (const each of numbers) total += each;\n  return total;"),
  ],
])("%s, installed from the lockfile, is repaired", async (_, files, command, repair) => {
  expect(await fix(files, command, [repair])).toMatchObject(proven);
});

test("a linter of Python, pyflakes, installed from an index, is satisfied by a repair", async () => {
  const { engine } = await engineUnderTest();
  await using registry = await startRegistry({ engine, python: [debianPython("python3-pyflakes", "pyflakes")] });
  const files = {
    "requirements-dev.txt": "pyflakes\n",
    "area.py": "import os\n\n\ndef area(width, height):\n    return widht * height\n",
  };
  const repair = [edit("area.py", "import os\n\n\n", ""), edit("area.py", "widht", "width")];
  expect(await fix(files, "python3 -m pyflakes .", repair, registry.environment)).toMatchObject(proven);
});

test.each<[string, ProjectFiles, string, Edit, string]>([
  [
    "a cast",
    typescript,
    "npm run typecheck",
    edit("src/greet.ts", "person.name.trim()", "(person as any).name.trim()"),
    "adds-suppression",
  ],
  [
    "a comment for the next line",
    typescript,
    "npm run typecheck",
    edit("src/greet.ts", "  return", "  // @ts-expect-error\n  return"),
    "adds-suppression",
  ],
  [
    "other settings of the compiler",
    typescript,
    "npm run typecheck",
    edit("tsconfig.json", '"strict": true', '"strict": false'),
    "edits-check-configuration",
  ],
  [
    "a comment for the file",
    eslint,
    "npm run lint",
    edit("src/sum.js", "export function", "/* eslint no-undef: 0, no-unused-vars: 0 */\nexport function"),
    "adds-suppression",
  ],
  [
    "other rules",
    eslint,
    "npm run lint",
    edit("eslint.config.js", '"no-unused-vars": "error", "no-undef": "error"', ""),
    "edits-check-configuration",
  ],
])("%s is refused, however green the check is then", async (_, files, command, silence, rule) => {
  const { outcome, proof } = await fix(files, command, [silence]);
  expect(outcome).toBe("gave-up");
  expect(proof?.findings.map((finding) => finding.rule)).toContain(rule);
});
