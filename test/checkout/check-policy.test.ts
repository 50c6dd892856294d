import { expect, test } from "vitest";
import { judgePatch } from "../../src/checkout/patch-policy.ts";
import { addedSuppressions } from "../../src/checkout/suppression.ts";
import { expectLinear } from "../linear-time.ts";

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
  ["src/a.js", "/* eslint no-undef: 0 */"],
  ["src/a.js", "/* eslint-env node */"],
  ["src/a.js", "/* jshint undef: false */"],
  ["src/a.ts", "/* c8 ignore next */"],
  ["src/a.js", "// cspell:ignore teh"],
  ["a.py", "# pragma: no cover"],
  ["a.py", "# mypy: allow-untyped-defs"],
  ["a.py", "# pyright: basic"],
  ["a.py", "# pyre-unsafe"],
])("%s: a check is not silenced by %s", async (path, comment) => {
  expect(await rules(path, "x = 1\n", `x = 1\ny = 2 ${comment}\n`)).toEqual(["adds-suppression:2"]);
  expect(await rules(path, `x = 1 ${comment}\n`, `y = 2\nx = 1 ${comment}\n`)).toEqual([]);
  expect(await rules(path, "x = 1\n", `x = 1\ny = ${JSON.stringify(comment)}\n`)).toEqual([]);
  expect(await rules(path, "x = 1\n", `x = 1\ny = 2 ${comment}\n`, false)).toEqual([]);
});

test.each([
  ["a.css", "a { color: red }", "/* stylelint-disable */"],
  ["run.sh", "echo $a", "# shellcheck disable=SC2086"],
  ["a.go", "f()", "//nolint:errcheck"],
  ["a.yml", "a: 1", "# yamllint disable-line"],
  ["README.md", "text", "<!-- markdownlint-disable MD013 -->"],
])("a check of %s is silenced by no comment of its language either", async (path, line, comment) => {
  expect(await rules(path, `${line}\n`, `${line}\n${comment}\n${line}\n`)).toEqual(["adds-suppression:2"]);
});

test("prose may speak of comments that silence a check", async () => {
  expect(await rules("README.md", "", "Write `// eslint-disable-next-line`, or `# noqa`.\n")).toEqual([]);
});

test.each([
  ["a.ts", "const a = read(b as any);"],
  ["a.ts", "const a = <any>b;"],
  ["a.ts", "const a = b as unknown as string;"],
  ["a.tsx", "const a = b as never;"],
  ["a.ts", "function a(b: any) {}"],
  ["a.ts", "type A = Record<string, any>;"],
  ["a.ts", "const a: any[] = [];"],
  ["a.vue", "let a: any"],
  ["a.py", "def a(b: Any): return b"],
  ["a.py", "def a(b) -> typing.Any: return b"],
  ["a.py", "a: dict[str, Any] = {}"],
  ["a.py", "a = cast(Any, b)"],
  ["a.py", "@typing.no_type_check"],
])("%s: a type checker is not told to look away by %s", async (path, line) => {
  expect(await rules(path, "x = 1\n", `x = 1\n${line}\n`)).toEqual(["adds-suppression:2"]);
  expect(await rules(path, `${line}\n`, `${line} // again\n`.replace("//", path.endsWith("py") ? "#" : "//"))).toEqual(
    [],
  );
  expect(await rules(path, "x = 1\n", `x = 1\ny = ${JSON.stringify(line)}\n`)).toEqual([]);
});

test.each([
  ["a.ts", 'import { any } from "ramda";'],
  ["a.ts", "const a = list.some(any(is));"],
  ["a.tsx", "<p>Note: any other text, as any reader knows</p>"],
  ["a.js", "const a = { kind: any };"],
  ["a.py", "from typing import Any, cast"],
  ["a.py", "a = any(b)"],
])("%s: types that allow everything are not seen in %s", async (path, line) => {
  expect(await rules(path, "x = 1\n", `x = 1\n${line}\n`)).toEqual([]);
});

test.each(["/* eslint ", "# mypy :", ": ", ", Any", "as ", "as any", "<!--", "-->"])(
  "a text of %j is read in linear time",
  (piece) => {
    for (const path of ["a.ts", "a.py", "a.md", "a.css"])
      expectLinear((size) => addedSuppressions(path, "", piece.repeat(size)), 8_000);
  },
);

test("a file that asked for a check still asks for it", async () => {
  expect(await rules("a.js", "// @ts-check\nf(1);\n", "f(1);\n")).toEqual(["adds-suppression:1"]);
  expect(await rules("a.js", "f(1);\n", "// @ts-check\nf(1);\n")).toEqual([]);
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
