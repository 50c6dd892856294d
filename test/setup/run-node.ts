import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";

/** How a program ended and what it wrote. */
export interface ProgramEnd {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Settings of `startNode`. */
export interface NodeOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** Runs this Node with the arguments, to its end. */
export async function runNode(args: readonly string[], options: NodeOptions = {}): Promise<ProgramEnd> {
  const { end } = startNode(args, options);
  return end;
}

/** Starts this Node with the arguments. `line` gives the first whole line on its standard output. */
export function startNode(args: readonly string[], { cwd, env, input = "" }: NodeOptions = {}) {
  const child = spawn(process.execPath, args, { cwd, env: { ...process.env, ...env }, stdio: "pipe" });
  child.stdin.end(input);
  const { promise: line, resolve: gotLine } = Promise.withResolvers<void>();
  child.stdout.on("data", (chunk: Buffer) => {
    if (chunk.includes("\n")) gotLine();
  });
  const { promise: closed, resolve, reject } = Promise.withResolvers<Pick<ProgramEnd, "status" | "signal">>();
  child.on("error", reject);
  child.on("close", (status, signal) => resolve({ status, signal }));
  const end = Promise.all([closed, text(child.stdout), text(child.stderr)]).then(
    ([how, stdout, stderr]): ProgramEnd => ({ ...how, stdout, stderr }),
  );
  return { child, line, end };
}
