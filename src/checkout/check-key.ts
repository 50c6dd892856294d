import { isDeepStrictEqual } from "node:util";
import { parse as parseToml } from "smol-toml";
import { baseName, foldPath } from "./fold-path.ts";
import { iniSections } from "./ini-sections.ts";

const packageKeys = /^(?:eslint(?:Config|Ignore)|prettier|stylelint|xo|standard|lint-staged|browserslist)$/;
const tomlTool =
  /^(?:ruff|mypy|black|isort|pylint|pyright|basedpyright|flake8|pycodestyle|pydocstyle|bandit|pyre|pytype|ty|yapf)$/;
const iniSection = /^(?:flake8|mypy.*|isort|pycodestyle|pydocstyle|pylint.*|yapf|bandit|tool:isort)$/i;

/**
 * The settings of type checkers, linters and formatters that differ between two versions of a `package.json`,
 * `pyproject.toml`, `setup.cfg` or `tox.ini`; null stands for a version that does not exist. A version that cannot be
 * read has none.
 */
export function changedCheckKeys(path: string, before: string | null, after: string | null): string[] {
  const name = baseName(foldPath(path));
  const [old, now] = [before, after].map((text) => settingsIn(name, text ?? ""));
  const keys = new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})]);
  return [...keys].filter((key) => !isDeepStrictEqual(old?.[key], now?.[key]));
}

function settingsIn(name: string, text: string): Readonly<Record<string, unknown>> {
  try {
    if (name === "package.json") return only(JSON.parse(text), packageKeys);
    if (name === "pyproject.toml") return only(parseToml(text)["tool"], tomlTool);
    if (name !== "setup.cfg" && name !== "tox.ini") return {};
    const sections = iniSections(text, (each) => iniSection.test(each)) ?? new Map();
    return only(Object.fromEntries(sections), iniSection);
  } catch {
    return {};
  }
}

function only(table: unknown, keys: RegExp): Readonly<Record<string, unknown>> {
  const entries = typeof table === "object" && table !== null ? Object.entries(table) : [];
  return Object.fromEntries(entries.filter(([key]) => keys.test(key)));
}
