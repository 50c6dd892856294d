import { describeException } from "../runner/describe-run.ts";
import type { ExecutionResult, TextOutput } from "../sandbox/sandbox.ts";

/** What a tool call gave, as text. `failed`: the call itself could not be carried out (bad arguments, refused edit). */
export interface Observation {
  readonly text: string;
  readonly failed: boolean;
}

/** Longest observation that the model is shown, in characters; the trace keeps the whole text. */
const observationChars = 10_000;

export function observed(text: string): Observation {
  return { text, failed: false };
}

export function refused(text: string): Observation {
  return { text, failed: true };
}

/** Head, error lines and tail of a text that is too long to show whole. */
export function shorten(text: string, chars: number = observationChars): string {
  if (text.length <= chars) return text;
  const head = text.slice(0, Math.floor(chars * 0.4));
  const tail = text.slice(-Math.floor(chars * 0.4));
  const middle = text.slice(head.length, text.length - tail.length);
  const errors = errorLines(middle, Math.floor(chars * 0.2));
  const left = middle.length - errors.length;
  return `${head}\n[… ${left} characters left out …]\n${errors}${errors === "" ? "" : "\n[… end of error lines …]\n"}${tail}`;
}

/** An execution in the live runtime as the model sees it. */
export function describeExecution(result: ExecutionResult): string {
  const parts = [`${statusLine(result)} (${result.durationMs.toFixed(1)} ms)`];
  if (result.value !== null) parts.push(`value: ${result.value}`);
  if (result.exception !== null) parts.push(describeException(result.exception));
  parts.push(stream("stdout", result.stdout), stream("stderr", result.stderr));
  if (result.background.length > 0) parts.push(`still running: ${result.background.join(", ")}`);
  if (result.stale.length > 0) {
    parts.push(
      `stale: ${result.stale.join(", ")} changed since the runtime imported it; run_tests always uses the new file`,
    );
  }
  return parts.filter((part) => part !== "").join("\n");
}

/** A stream's text under its name; empty when nothing was written. */
export function stream(name: string, output: TextOutput): string {
  return output.text.trim() === "" ? "" : `${name}:\n${output.text.trimEnd()}`;
}

function statusLine(result: ExecutionResult): string {
  switch (result.status) {
    case "ok":
    case "error":
      return result.status;
    case "timeout":
      return "timeout: stopped at the time limit";
    case "oom":
      return "oom: killed, out of memory";
    case "output-limit":
      return "output-limit: killed, it wrote too much";
    case "exited":
      return "exited: the code ended its process";
    default:
      return result.status;
  }
}

function errorLines(text: string, chars: number): string {
  const lines = text
    .split("\n")
    .filter((line) => /error\b|exception\b|\bfail(ed|ure)?\b|\bassert|traceback|\bpanic/i.test(line));
  let taken = "";
  for (const line of lines) {
    if (taken.length + line.length + 1 > chars) break;
    taken += taken === "" ? line : `\n${line}`;
  }
  return taken;
}
