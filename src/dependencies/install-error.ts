import { stripVTControlCharacters } from "node:util";
import type { RunResult } from "../sandbox/sandbox.ts";

const longest = 300;

/** Lines that say that something failed, and not why. */
const noise =
  /^npm (?:error|ERR!)(?: (?:code|errno|syscall|path|cwd|command|signal|git dep)\b.*| A complete log .*| An unknown git error occurred| \d{3} *| *)$|^ERROR: (?:Failed to build|Some build dependencies|Exception)|^error: (?:subprocess-exited-with-error|metadata-generation-failed)$|finished with status 'error'$/;

/** Most telling first. Each takes its line; the first group, where there is one, is what is shown. */
const patterns: readonly RegExp[] = [
  /^npm (?:error|ERR!) (.+)$/,
  /(?:^|\s)(ERR_PNPM_\w+\s+.+)$/,
  /^\s*ERROR: (.+)$/,
  /^error (?!Command failed)(.+)$/,
  /^➤ (YN(?!0000|0002|0007|0013|0019|0060|0066|0072|0085|0086|0087)\d{4}: .+)$/,
  /^\s*(?:error|fatal): (.+)$/i,
  /^\s*((?:\w+\.)*\w*(?:Error|Exception): .+)$/,
  /^(.*\b(?:error|fatal|failed|cannot|could not|not found|denied|refused)\b.*)$/i,
];

/** What pip says of a network before it says that it found no version. */
const network =
  /Connection refused|Name or service not known|Temporary failure in name resolution|Network is unreachable|certificate verify failed|(?:Read|Connect) ?timed? ?out|Tunnel connection failed[^'")]*/;
/** What the supervisor notes when the disk of a sandbox is full. */
const overflow = /the workspace held more than \d+ \w+/;
/** npm's own word for a conflict leaves out between what. */
const conflict = /^Could not resolve dependency:$/;

/** The line of an install's output that says why it failed, for a person. */
export function installError(result: Pick<RunResult, "status" | "exitCode" | "signal" | "stdout" | "stderr">): string {
  const lines = linesOf(`${result.stdout.text}\n${result.stderr.text}`);
  const ending = endingOf(result, lines);
  return clip(ending ?? telling(lines) ?? lines.at(-1) ?? `exit status ${result.exitCode}, and nothing was printed`);
}

function endingOf({ status, signal }: Pick<RunResult, "status" | "signal">, lines: readonly string[]): string | null {
  switch (status) {
    case "exited":
      return null;
    case "timeout":
      return "it took longer than an install may take";
    case "oom":
      return "it needed more memory than a sandbox has";
    case "output-limit":
      return overflow.exec(lines.findLast((line) => overflow.test(line)) ?? "")?.[0] ?? "it printed more than it may";
    case "signalled":
      return `it was killed by ${signal}`;
    default:
      return `it ended as ${status}`;
  }
}

function telling(lines: readonly string[]): string | null {
  for (const pattern of patterns) {
    const at = lines.findIndex((line) => pattern.test(line) && !noise.test(line.trim()));
    if (at === -1) continue;
    const found = (pattern.exec(lines[at] ?? "")?.[1] ?? "").trim();
    if (/^\/\S+:\d+$/.test(found)) return thrown(lines) ?? found;
    if (/^ERESOLVE/.test(found)) return `${found}: ${afterConflict(lines) ?? ""}`.replace(/: $/, "");
    const cause = /Could not find a version|No matching distribution/.test(found) ? causeIn(lines) : null;
    return cause === null ? found : `${found} (${cause})`;
  }
  return null;
}

/** Of a script that died of an exception, Node prints the place first. */
function thrown(lines: readonly string[]): string | null {
  const said = lines.map((line) => line.replace(/^npm (?:error|ERR!) ?/, "").trim());
  return said.find((line) => /^\w*Error: ./.test(line)) ?? null;
}

function afterConflict(lines: readonly string[]): string | undefined {
  const said = lines.map((line) => line.replace(/^npm (?:error|ERR!) ?/, "").trim());
  return said[said.findIndex((line) => conflict.test(line)) + 1];
}

function causeIn(lines: readonly string[]): string | null {
  const retry = lines.find((line) => /Retrying/.test(line) && network.test(line));
  return retry === undefined ? null : (network.exec(retry)?.[0] ?? null);
}

function linesOf(text: string): string[] {
  return stripVTControlCharacters(text)
    .split(/\r?\n|\r/)
    .map((line) => line.trimEnd())
    .filter((line) => line.trim() !== "");
}

function clip(text: string): string {
  const flat = text.replace(/\s+/g, " ").trim();
  return flat.length > longest ? `${flat.slice(0, longest - 1)}…` : flat;
}
