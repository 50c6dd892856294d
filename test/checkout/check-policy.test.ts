import { expect, test } from "vitest";
import { judgePatch } from "../../src/checkout/patch-policy.ts";

async function rules(path: string, before: string | null, after: string, isCheck = true): Promise<string[]> {
  const tree = { entries: new Map(), read: async () => (before === null ? null : Buffer.from(before)) };
  const change = { kind: "write", path, executable: false, bytes: Buffer.from(after) } as const;
  const findings = await judgePatch(tree, [change], { testFiles: [], isCheck });
  return findings.map(({ rule, line }) => (line === 0 ? rule : `${rule}:${line}`));
}

test.each([
  ["src/a.ts", "// @ts-ignore"],
  ["src/a.ts", "/* @ts-expect-error: odd */"],
  ["src/a.tsx", "// @ts-nocheck"],
  ["src/a.js", "/* eslint-disable no-undef */"],
  ["src/a.js", "// eslint-disable-next-line"],
  ["src/a.ts", "// biome-ignore lint/suspicious/noExplicitAny: odd"],
  ["src/a.js", "// prettier-ignore"],
  ["a.py", "# noqa"],
  ["a.py", "#NOQA: E501"],
  ["a.py", "# ruff: noqa: F401"],
  ["a.py", "# type: ignore[attr-defined]"],
  ["a.py", "# pyright: ignore"],
  ["a.py", "# mypy: ignore-errors"],
  ["a.py", "# pylint: disable=all"],
  ["a.py", "# fmt: off"],
])("%s: a check is not silenced by %s", async (path, comment) => {
  expect(await rules(path, "x = 1\n", `x = 1\ny = 2 ${comment}\n`)).toEqual(["adds-suppression:2"]);
  expect(await rules(path, `x = 1 ${comment}\n`, `y = 2\nx = 1 ${comment}\n`)).toEqual([]);
  expect(await rules(path, "x = 1\n", `x = 1\ny = ${JSON.stringify(comment)}\n`)).toEqual([]);
  expect(await rules(path, "x = 1\n", `x = 1\ny = 2 ${comment}\n`, false)).toEqual([]);
});

test.each([
  ".eslintrc.json",
  "packages/a/eslint.config.mjs",
  ".eslintignore",
  ".prettierrc",
  "biome.jsonc",
  "tsconfig.json",
  "tsconfig.build.json",
  "mypy.ini",
  ".flake8",
  "ruff.toml",
  ".ruff.toml",
  ".pylintrc",
  "pyrightconfig.json",
  ".pre-commit-config.yaml",
  "Makefile",
])("the configuration of a check stays as it is: %s", async (path) => {
  expect(await rules(path, "{}", "{ }")).toEqual(["edits-check-configuration"]);
  expect(await rules(path, "{}", "{ }", false)).toEqual([]);
});

test.each([
  ["package.json", '{ "name": "a" }', '{ "name": "a", "eslintConfig": {} }'],
  ["pyproject.toml", "[tool.ruff]\nline-length = 80\n", "[tool.ruff]\nline-length = 200\n"],
  ["pyproject.toml", "", "[tool.mypy]\nignore_errors = true\n"],
  ["setup.cfg", "[flake8]\nmax-line-length = 80\n", "[flake8]\nmax-line-length = 800\n"],
  ["tox.ini", "", "[mypy-requests.*]\nignore_missing_imports = true\n"],
])("settings of a check inside of %s stay as they are", async (path, before, after) => {
  expect(await rules(path, before, after)).toContain("edits-check-configuration");
});

test("other settings in the same files may change, and sources are not configuration", async () => {
  expect(await rules("package.json", '{ "version": "1.0.0" }', '{ "version": "1.0.1" }')).toEqual([]);
  expect(await rules("pyproject.toml", "[project]\nname = 'a'\n", "[project]\nname = 'b'\n")).toEqual([]);
  for (const path of ["src/eslint-plugin.ts", "src/tsconfig-reader.ts", "ruff.py", "docs/mypy.md", "src/prettier.ts"]) {
    expect(await rules(path, "x\n", "y\n")).toEqual([]);
  }
});
