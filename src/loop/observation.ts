import { describeException } from "../runner/describe-run.ts";
import { outputText } from "../runner/output-text.ts";
import type { ExecutionResult, TextOutput } from "../sandbox/sandbox.ts";

/** What a tool call gave, as text. `failed`: the call itself could not be carried out (bad arguments, refused edit). */
export interface Observation {
  readonly text: string;
  readonly failed: boolean;
}

/** Longest observation that the model is shown, in characters; the trace keeps the whole text. */
export const observationChars = 10_000;

export function observed(text: string): Observation {
  return { text, failed: false };
}

export function refused(text: string): Observation {
  return { text, failed: true };
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
  const text = outputText(output.text).trimEnd();
  return text.trim() === "" ? "" : `${name}:\n${text}`;
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
