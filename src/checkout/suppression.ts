import { addedMarkers, type Marker } from "./added-markers.ts";
import { languageOf, maskCode } from "./mask-code.ts";

/** Comments that silence type checkers, linters and formatters. Each takes linear time. */
const suppressions: readonly RegExp[] = [
  /@ts-(?:ignore|expect-error|nocheck)\b/g,
  /\b(?:eslint|tslint|oxlint|stylelint)[-:](?:disable|ignore)[\w-]*/g,
  /\b(?:biome|rome|deno-lint|prettier|dprint|svelte|astro-check)-ignore[\w-]*/g,
  /@(?:no)?flow\b|\$Flow(?:FixMe|Ignore|Expected\w*)\b/g,
  /#\s*(?:ruff\s*:\s*|flake8\s*:\s*)?noqa\b/gi,
  /#\s*(?:type|pyright|pyre|mypy|pytype)\s*:\s*(?:ignore|disable|basic)[\w-]*/g,
  /#\s*pyre-(?:ignore|fixme)[\w-]*/g,
  /#\s*pylint\s*:\s*(?:disable|skip-file)[\w-]*/g,
  /#\s*(?:nosec|nosemgrep|isort\s*:\s*(?:skip\w*|off)|fmt\s*:\s*(?:off|skip)|yapf\s*:\s*disable)\b/g,
  /\bnolint\b/g,
];

/** Comments that a change adds to a source file, and that would silence a check instead of satisfying it. */
export function addedSuppressions(path: string, before: string, after: string): Marker[] {
  const language = languageOf(path, after);
  if (language === null) return [];
  const view = (text: string) => ({ text, shown: maskCode(text, language).comments });
  return addedMarkers(view(before), view(after), suppressions);
}
