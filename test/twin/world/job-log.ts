/** A step of a job, as a test describes it. */
export interface NewStep {
  /** Its name; by default `Run ` and the first line of the command, as GitHub names it. */
  readonly name?: string;
  /** The script that it runs. */
  readonly run?: string;
  /** Or the action that it uses, `actions/checkout@v4`. */
  readonly uses?: string;
  /** What it printed. */
  readonly output?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** `/usr/bin/bash -e {0}` by default. */
  readonly shell?: string;
  /** 0 by default; anything else fails the step, and the steps after it are skipped. */
  readonly exitCode?: number;
}

/** Whose secrets a job has: the repository's, Dependabot's, or, for a fork, nobody's. */
export type SecretSource = "Actions" | "Dependabot" | "None";

/** What a step is called when nobody named it. */
export function stepName(step: NewStep): string {
  const firstLine = step.run?.trim().split("\n")[0];
  return step.name ?? `Run ${firstLine ?? step.uses ?? ""}`;
}

/** One step in a log: what it was, and when it ran. */
export interface LoggedStep {
  readonly step: NewStep;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

/**
 * Writes a job's log as GitHub keeps it: a byte order mark, a time with seven fractional digits before each line, the
 * `##[group]Run` block with the expanded script, shell and environment, and `##[error]` where a step failed.
 */
export function jobLog(
  { name, secretSource = "Actions" }: { readonly name: string; readonly secretSource?: SecretSource | undefined },
  startedAt: number,
  steps: readonly LoggedStep[],
): Buffer {
  const lines: string[] = [];
  const say = (at: number, text: string): void => {
    for (const line of text.split("\n")) lines.push(`${stamp(at, lines.length)} ${line}`);
  };
  say(startedAt, `Current runner version: '2.330.0'\n##[group]Operating System\nUbuntu\n24.04.3\nLTS\n##[endgroup]`);
  say(startedAt, `Secret source: ${secretSource}`);
  say(startedAt, `Prepare workflow directory\nPrepare all required actions\nComplete job name: ${name}`);
  for (const { step, startedAt: at } of steps) say(at, stepLog(step));
  const last = steps.at(-1)?.startedAt ?? startedAt;
  say(last + 900, "Post job cleanup.\nCleaning up orphan processes");
  return Buffer.from(`\uFEFF${lines.join("\r\n")}\r\n`);
}

function stepLog(step: NewStep): string {
  const lines = [step.run === undefined ? usesBlock(step) : runBlock(step, step.run)];
  if (step.output !== undefined && step.output !== "") lines.push(step.output.replace(/\n$/, ""));
  if ((step.exitCode ?? 0) !== 0) lines.push(`##[error]Process completed with exit code ${step.exitCode}.`);
  return lines.join("\n");
}

function runBlock(step: NewStep, script: string): string {
  const coloured = script
    .trimEnd()
    .split("\n")
    .map((line) => `\x1b[36;1m${line}\x1b[0m`);
  const env = Object.entries(step.env ?? {}).map(([key, value]) => `  ${key}: ${value}`);
  const title = `##[group]Run ${script.trim().split("\n")[0]}`;
  const shell = `shell: ${step.shell ?? "/usr/bin/bash -e {0}"}`;
  return [title, ...coloured, shell, ...(env.length > 0 ? ["env:", ...env] : []), "##[endgroup]"].join("\n");
}

function usesBlock(step: NewStep): string {
  return [`##[group]Run ${step.uses ?? ""}`, "with:", "  persist-credentials: true", "##[endgroup]"].join("\n");
}

/** Lines of one step get times that grow by a tenth of a microsecond each, so that none are equal. */
function stamp(at: number, line: number): string {
  return `${new Date(at).toISOString().slice(0, -1)}${String(line % 10_000).padStart(4, "0")}Z`;
}
