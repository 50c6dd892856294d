import type { LogLine } from "./clean-log.ts";

/** A step's command as its log shows it: every expression expanded, secrets masked. */
export interface RunBlock {
  /** The script, which may have several lines. */
  readonly command: string;
  /** Such as `/usr/bin/bash -e {0}`; null when the log does not say. */
  readonly shell: string | null;
  readonly env: Readonly<Record<string, string>>;
}

/** When a step ran, by the API: milliseconds since the epoch, of whole seconds. */
export interface StepWindow {
  readonly startedAt: number;
  readonly completedAt: number;
  /** Steps before it that began in the same second. */
  readonly before: number;
}

const group = "##[group]Run ";
const secondMs = 1_000;

/**
 * The block that the runner printed when the step began: the first `##[group]Run` in the step's time, after those of the steps that
 * began in the same second. Later ones may be printed by the tests themselves. Null when there is none, or when its command is masked in places, since then it cannot be run.
 */
export function runBlockOf(lines: readonly LogLine[], step: StepWindow): RunBlock | null {
  const starts = lines.flatMap((line, index) =>
    line.text.startsWith(group) && isWithin(line.at, step) ? [index] : [],
  );
  const start = starts[step.before];
  if (start === undefined) return null;
  const end = lines.findIndex((line, index) => index > start && line.text.startsWith("##[endgroup]"));
  const block = lines.slice(start + 1, end === -1 ? start + 1 : end).map((line) => line.text);
  const shellAt = block.findIndex((text) => text.startsWith("shell: "));
  const script = (shellAt === -1 ? block : block.slice(0, shellAt)).join("\n").trim();
  const command = script === "" ? (lines[start]?.text.slice(group.length).trim() ?? "") : script;
  if (command === "" || command.includes("***") || command.includes("${{")) return null;
  return {
    command,
    shell: shellAt === -1 ? null : (block[shellAt]?.slice("shell: ".length) ?? null),
    env: environmentOf(block),
  };
}

function isWithin(at: number | null, { startedAt, completedAt }: StepWindow): boolean {
  return at !== null && at >= startedAt && at < completedAt + secondMs;
}

/** The lines below `env:`, two spaces in; values that are masked, or that name places of the runner's machine, are left out. */
function environmentOf(block: readonly string[]): Record<string, string> {
  const at = block.indexOf("env:");
  if (at === -1) return {};
  const entries = block
    .slice(at + 1)
    .map((text) => /^ {2}([A-Za-z_][A-Za-z0-9_]*): ?(.*)$/.exec(text))
    .filter((match) => match !== null)
    .map((match): [string, string] => [match[1] ?? "", match[2] ?? ""]);
  return Object.fromEntries(entries.filter(([name, value]) => isPortable(name, value)));
}

function isPortable(name: string, value: string): boolean {
  if (/^(GITHUB|RUNNER|ACTIONS|AUTOLITH|OPENAI)_/i.test(name)) return false;
  if (/^(PATH|HOME|LD_\w+|PYTHON(PATH|HOME|STARTUP)|NODE_OPTIONS|PYTEST_ADDOPTS|BASH_ENV|ENV)$/i.test(name))
    return false;
  return !value.includes("***") && !/\/(opt\/hostedtoolcache|home\/runner)\b/.test(value);
}
