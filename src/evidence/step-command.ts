/** Steps install and test in one script; here nothing can be installed, and what the image lacks is noticed when the tests run. */
const installs = [
  /^(sudo\s+)?apt(-get)?(\s|$)/,
  /^(python3?(\.\d+)?\s+-m\s+)?pip3?\s+install(\s|$)/,
  /^npm\s+(ci|i|install)(\s|$)/,
  /^(yarn(\s+install)?|pnpm\s+(i|install))(\s+--\S+)*$/,
  /^(uv\s+(sync|pip\s+install|venv)|poetry\s+install|pipenv\s+(install|sync)|pdm\s+install|hatch\s+env\s+create)\b/,
];

/** Words that make a line a part of something longer, or that mean more than one simple command. */
const compound =
  /^(if|then|else|elif|fi|for|while|until|do|done|case|esac|function|select|\{|\}|\()|<<|\\$|[&|;]\s*$|\(\)\s*\{/;

/**
 * The script of a step as one command for `sh -c`, without comments and installs. Lines that stand for themselves are joined so that the
 * first failure ends it, as the runner's `bash -e` does; anything else is kept as it is. Null when nothing is left.
 */
export function stepCommand(script: string): string | null {
  const lines = script.split("\n").map((line) => line.trim());
  const meant = lines.filter((line) => line !== "" && !line.startsWith("#"));
  if (meant.some((line) => compound.test(line))) return `set -e\n${script.trim()}`;
  const left = meant.filter((line) => !isInstall(line));
  if (left.length === 0) return null;
  return left.map((line) => (left.length > 1 && /\|\|/.test(line) ? `{ ${line}; }` : line)).join(" && ");
}

function isInstall(line: string): boolean {
  return line.split(/\s*(?:&&|;)\s*/).every((command) => installs.some((pattern) => pattern.test(command)));
}
