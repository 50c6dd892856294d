import { baseName, foldPath } from "./fold-path.ts";

/** Files that say what type checkers, linters, formatters and builds demand; each as a whole. Folded to lower case. */
const names: readonly RegExp[] = [
  /^\.(?:eslint|prettier|stylelint|oxlint|jshint|jscs)(?:rc|ignore)(?:\.\w+)*$/,
  /^(?:eslint|prettier|stylelint|oxlint|commitlint|lint-staged|knip|dprint|xo)\.(?:config|jsonc?)\b/,
  /^(?:biome|rome|deno|tslint|pyrightconfig|jsconfig|tsconfig(?:[.-][\w.-]+)?)\.jsonc?$/,
  /^\.?(?:ruff|mypy|flake8|pylintrc|pycodestyle|pyre_configuration|bandit|isort|pyproject-lint)(?:\.(?:toml|ini|cfg|ya?ml))?$/,
  /^\.(?:pre-commit-config|golangci|rubocop|yamllint|markdownlint)(?:\.\w+)*$/,
  /^(?:gnu)?makefile$|^\.?justfile$|^taskfile\.ya?ml$/,
];

/** True for a file that a check is configured by, or that tells how it is called. */
export function isCheckConfigurationPath(path: string): boolean {
  const name = baseName(foldPath(path));
  return names.some((form) => form.test(name));
}
