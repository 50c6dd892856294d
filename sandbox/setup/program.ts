import { spawn } from "node:child_process";
import { SandboxError } from "../../src/errors.ts";

/** What `runProgram` needs besides the argument list. */
export interface ProgramOptions {
  readonly cwd?: string | undefined;
  /** Added to this process's environment. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** After so long the program is killed. Unit: milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Runs a program of the host without a shell and without standard input, and gives its standard output.
 * A program that cannot start, fails or takes too long is a `SandboxError` that ends in the last lines of what it said.
 */
export async function runProgram(
  program: string,
  args: readonly string[],
  { cwd, env, timeoutMs }: ProgramOptions,
): Promise<string> {
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    signal: AbortSignal.timeout(timeoutMs),
  });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  child.on("error", (cause) => {
    const reason = cause.name === "AbortError" ? `took longer than ${timeoutMs / 1000} s` : cause.message;
    reject(new SandboxError(`${program} ${args[0] ?? ""}: ${reason}`, { cause }));
  });
  child.on("close", (status) => {
    const output = Buffer.concat(stdout).toString("utf8");
    if (status === 0) return resolve(output);
    const said = lastLines(Buffer.concat(stderr).toString("utf8") || output);
    reject(new SandboxError(`${program} ${args[0] ?? ""} failed with status ${status}: ${said}`));
  });
  return promise;
}

/** The end of a program's output, short enough for an error message. */
export function lastLines(text: string, count = 8): string {
  return text.trim().split("\n").slice(-count).join("\n");
}
