import { addedMarkers, type Marker } from "./added-markers.ts";
import { type CodeLanguage, languageOf, maskCode } from "./mask-code.ts";

/** Comments that silence type checkers, linters, formatters and coverage, or ask less of them. Each takes linear time. */
const suppressions: readonly RegExp[] = [
  /@ts-(?:ignore|expect-error|nocheck)\b/g,
  /\b(?:eslint|tslint|oxlint|stylelint|markdownlint|textlint)[-:](?:disable|ignore)[\w-]*/g,
  /\/\*\s*(?:eslint(?:-env)?|jshint|jslint|jscs)(?=[\s:])[^*\n]*/g,
  /\b(?:biome|rome|deno-lint|prettier|dprint|svelte|astro-check)-ignore[\w-]*/g,
  /\b(?:cspell|spell-checker)\s*:\s*(?:ignore|disable)[\w-]*/g,
  /@(?:no)?flow\b|\$Flow(?:FixMe|Ignore|Expected\w*)\b/g,
  /\b(?:istanbul|c8|v8|node:coverage)\s+(?:ignore|disable)\b/g,
  /#\s*noqa\b/gi,
  /#\s*type\s*:\s*ignore\b/g,
  // Settings of a whole file, whatever they set: which of them ask for less is the tool's matter.
  /#\s*(?:mypy|(?:based)?pyright|pytype|pyre|pylint|ruff|flake8|isort)\s*:\s*[\w-]+/g,
  /#\s*pyre-(?:ignore|fixme|unsafe)[\w-]*/g,
  /#\s*pragma\s*:\s*no\s*(?:cover|branch)\b/g,
  /#\s*(?:nosec|nosemgrep|fmt\s*:\s*(?:off|skip)|yapf\s*:\s*disable)\b/g,
  /#\s*(?:shellcheck|yamllint|hadolint)\s+(?:disable|ignore)\b/g,
  /\bnolint\b/g,
];

/** Code by which a type checker is told to look away. */
const escapes: Readonly<Record<CodeLanguage, readonly RegExp[]>> = {
  python: [
    /\bno_type_check\w*/g,
    /\bcast\(\s*(?:\w+\s*\.\s*)?Any\b/g,
    /(?:->|[:[|]|,(?=\s*(?:\w+\.)?Any\s*\]))\s*(?:\w+\.)?Any\b/g,
  ],
  javascript: [
    /\bas\s+never\b|\bas\s+unknown\s+as\b/g,
    /(?:\bas\s+|[:<|&=]\s*|,(?=\s*any\s*[>\]]))\s*any\b(?=\s*(?:[\])};,>=|&.[]|$))/gm,
  ],
};
/** Files in which these words are types; elsewhere they may be anything. */
const typed = /\.(?:[cm]?tsx?|vue|svelte|astro|pyi?)$/i;
const prose = /\.(?:md|mdx|markdown|rst|adoc|txt|html?)$/i;

/**
 * What a change adds to a file that would silence a check instead of satisfying it: comments, types that allow everything
 * (as far as there are more of them than before), and a `@ts-check` that is gone.
 */
export function addedSuppressions(path: string, before: string, after: string): Marker[] {
  const comments = (text: string) => ({ text, shown: commentsIn(path, text) });
  const found = addedMarkers(comments(before), comments(after), suppressions);
  const gone = addedMarkers(comments(after), comments(before), [/@ts-check\b/g]);
  return [...found, ...moreEscapes(path, before, after), ...gone.map(() => ({ line: 1, marker: "no @ts-check" }))];
}

function moreEscapes(path: string, before: string, after: string): Marker[] {
  const language = languageOf(path, after);
  if (language === null || !typed.test(path)) return [];
  const [old, now] = [before, after].map((text) => ({ text, shown: maskCode(text, language).code }));
  if (old === undefined || now === undefined) return [];
  const count = (shown: string) => escapes[language].reduce((sum, form) => sum + [...shown.matchAll(form)].length, 0);
  return count(now.shown) > count(old.shown) ? addedMarkers(old, now, escapes[language]) : [];
}

/** Comments of a text: of prose those that do not show, of a language that is not known here everything. */
function commentsIn(path: string, text: string): string {
  const language = languageOf(path, text);
  if (language !== null) return maskCode(text, language).comments;
  if (!prose.test(path)) return text;
  let shown = "";
  for (let end = 0; end < text.length; ) {
    const start = endOr(text, text.indexOf("<!--", end));
    const close = endOr(text, text.indexOf("-->", start));
    shown += blank(text.slice(end, start)) + text.slice(start, close);
    end = close;
  }
  return shown;
}

function endOr(text: string, index: number): number {
  return index === -1 ? text.length : index;
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, " ");
}
