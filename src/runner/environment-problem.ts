import type { ExceptionReport } from "../sandbox/sandbox.ts";
import { missingModule } from "./missing-module.ts";
import { missingSecret } from "./missing-secret.ts";
import { missingService } from "./missing-service.ts";
import type { TestRun } from "./report.ts";

/** Why a failure cannot be repaired in a sandbox, however good the code. */
export interface EnvironmentProblem {
  readonly kind: "missing-package" | "missing-command" | "missing-service" | "missing-secret";
  /** What is missing, for a person. */
  readonly detail: string;
}

/** One failure as it is judged: what was thrown, and what the runner printed. */
export interface Failure {
  readonly exception: ExceptionReport | null;
  /** Type and message of the exception, or the last lines of what was printed. */
  readonly text: string;
}

const commandNotFound = 127;
/**
 * What a shell prints for a program that is not there:
 * https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html
 */
const notFound =
  /^(?:\S*sh: (?:line )?(?:\d+: )?|env: |exec: )?['‘]?([\w./@-]+)['’]?: (?:not found|command not found|No such file or directory)$/m;
const printedLines = 30;
/** Programs that a project installs for itself, under the name of their package. */
const packagesOfPrograms = new Set(["vitest", "jest", "mocha"]);

/**
 * Says when every failure of a run has a cause outside of the code: a package that nobody installed, a service that
 * does not answer, a secret that is not there. Null as soon as one failure may be the code's own: an assertion always
 * may.
 */
export function environmentProblem(run: TestRun, paths: readonly string[]): EnvironmentProblem | null {
  if (run.result.status !== "exited") return null;
  const failures = failuresOf(run);
  if (failures.length === 0) return missingCommand(run) ?? problemOf(printed(run), paths);
  const problems = failures.map((failure) => problemOf(failure, paths));
  return problems.every((problem) => problem !== null) ? (problems[0] ?? null) : null;
}

function failuresOf({ report }: TestRun): Failure[] {
  const red = report?.tests.filter(({ status }) => status === "failed" || status === "error") ?? [];
  return [...red, ...(report?.problems ?? [])].map(({ exception, message }) => ({
    exception,
    text: exception === null ? message : `${exception.type}: ${exception.message}`,
  }));
}

/** What a command without a report says at its end. */
function printed({ result }: TestRun): Failure {
  const lines = `${result.stdout.text}\n${result.stderr.text}`.split("\n").filter((line) => line.trim() !== "");
  return { exception: null, text: lines.slice(-printedLines).join("\n") };
}

function problemOf(failure: Failure, paths: readonly string[]): EnvironmentProblem | null {
  const { exception, text } = failure;
  if (/AssertionError|ERR_ASSERTION|^Failed: /.test(exception?.type ?? text)) return null;
  // Of several packages' commands each is a failure of its own.
  if (exception === null && text.startsWith(`exit status ${commandNotFound}\n`)) return missingProgram(text);
  return missingModule(failure, paths) ?? missingService(failure) ?? missingSecret(failure);
}

function missingCommand({ result }: TestRun): EnvironmentProblem | null {
  return result.exitCode === commandNotFound ? missingProgram(result.stderr.text) : null;
}

function missingProgram(text: string): EnvironmentProblem {
  const program = notFound.exec(text)?.[1] ?? "a program of the test command";
  if (packagesOfPrograms.has(program))
    return { kind: "missing-package", detail: `the package ${program} is not installed in the sandbox` };
  return { kind: "missing-command", detail: `${program} is not in the sandbox` };
}
