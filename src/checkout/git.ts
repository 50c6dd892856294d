import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { AutolithError, messageOf } from "../errors.ts";
import { redact } from "../redact.ts";
import { type GitPlace, gitEnvironment, gitSettings } from "./git-environment.ts";

const mebibyte = 1024 * 1024;
const keptErrorBytes = 16 * 1024;

export interface GitOptions {
  /** Working directory of the process [the place's home]. */
  readonly cwd?: string;
  /** Added to the hardened environment, for example `GIT_INDEX_FILE`. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Settings (`name=value`) that win over the hardened ones, for this one call. */
  readonly settings?: readonly string[];
  /** What git reads from its standard input; an error that it throws ends the process and the call. */
  readonly input?: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;
  /** The call fails when git writes more than this [64 MiB]. */
  readonly maxOutputBytes?: number;
  /** The call fails when git takes longer [10 min]. */
  readonly timeoutMs?: number;
  /** Lets git fetch from a path on this machine: for tests [false]. */
  readonly allowFileProtocol?: boolean;
}

export interface GitOutput {
  readonly stdout: Buffer;
  /** Warnings of a call that worked; at most 16 KiB. */
  readonly stderr: string;
}

/**
 * Runs one git subcommand to its end. `args` start with the subcommand and are never read by a shell.
 * Rejects with an infrastructure error when git cannot be started, exits with another status than 0, writes too much or takes
 * too long, and with the signal's reason when aborted; the process is gone in each case.
 */
export async function runGit(
  place: GitPlace,
  args: readonly string[],
  options: GitOptions,
  signal: AbortSignal,
): Promise<GitOutput> {
  signal.throwIfAborted();
  const timeoutMs = options.timeoutMs ?? 600_000;
  const timeout = AbortSignal.timeout(timeoutMs);
  const child = startGit(place, args, options);
  const stop = stopper(child);
  const abort = AbortSignal.any([signal, timeout]);
  abort.addEventListener("abort", stop, { once: true });
  const source = feed(child, options.input ?? [], stop);
  try {
    const [ended, stdout, stderr] = await Promise.all([
      ending(child),
      collect(child.stdout, options.maxOutputBytes ?? 64 * mebibyte, stop),
      collect(child.stderr, keptErrorBytes, () => undefined),
    ]);
    signal.throwIfAborted();
    if (timeout.aborted) throw failure(args, `did not end within ${timeoutMs / 1000} s`);
    if (source.failure !== null) throw source.failure.error;
    if (stdout.overflow) throw failure(args, `wrote more than ${options.maxOutputBytes ?? 64 * mebibyte} bytes`);
    if (ended.kind === "not-started")
      throw failure(args, `could not be started: ${messageOf(ended.error)}`, ended.error);
    const said = stderr.bytes.toString("utf8").trim();
    if (ended.status !== 0) throw failure(args, `ended with ${ended.status}: ${said}`);
    return { stdout: stdout.bytes, stderr: said };
  } finally {
    abort.removeEventListener("abort", stop);
  }
}

/** Starts a git process that outlives the call; whoever starts it must end it. The only place in `src` that starts a process. */
export function startGit(
  place: GitPlace,
  args: readonly string[],
  options: Pick<GitOptions, "cwd" | "environment" | "settings" | "allowFileProtocol">,
): ChildProcessWithoutNullStreams {
  const extra = (options.settings ?? []).flatMap((setting) => ["-c", setting]);
  return spawn("git", [...gitSettings(options.allowFileProtocol ?? false), ...extra, ...args], {
    cwd: options.cwd ?? place.home,
    env: { ...gitEnvironment(place), ...options.environment },
    stdio: ["pipe", "pipe", "pipe"],
  });
}

function failure(args: readonly string[], what: string, cause?: unknown): AutolithError {
  const said = redact(what).slice(0, 2_000);
  return new AutolithError("infrastructure", `git ${args[0]} ${said}`, cause === undefined ? {} : { cause });
}

/** Ends the process and lets go of its streams, so that nothing that it left behind keeps the call waiting. */
function stopper(child: ChildProcessWithoutNullStreams): () => void {
  return () => {
    child.kill("SIGKILL");
    child.stdin.destroy();
    child.stdout.destroy();
    child.stderr.destroy();
  };
}

type Ending =
  | { readonly kind: "ended"; readonly status: number | string }
  | { readonly kind: "not-started"; readonly status: null; readonly error: Error };

function ending(child: ChildProcessWithoutNullStreams): Promise<Ending> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve({ kind: "not-started", status: null, error }));
    child.once("exit", (code, signal) => resolve({ kind: "ended", status: code ?? signal ?? "an unknown status" }));
  });
}

async function collect(stream: Readable, maxBytes: number, overflowed: () => void) {
  const chunks: Buffer[] = [];
  let size = 0;
  let overflow = false;
  return new Promise<{ bytes: Buffer; overflow: boolean }>((resolve) => {
    stream.on("data", (chunk: Buffer) => {
      const room = maxBytes - size;
      chunks.push(chunk.subarray(0, room));
      size += Math.min(room, chunk.length);
      if (chunk.length <= room || overflow) return;
      overflow = true;
      overflowed();
    });
    stream.on("error", () => undefined);
    stream.once("close", () => resolve({ bytes: Buffer.concat(chunks), overflow }));
  });
}

/** Notes an error of the input itself. Git may stop reading early; its exit status then says why. */
function feed(
  child: ChildProcessWithoutNullStreams,
  input: NonNullable<GitOptions["input"]>,
  stop: () => void,
): { readonly failure: { readonly error: unknown } | null } {
  const source: { failure: { error: unknown } | null } = { failure: null };
  async function* watched() {
    try {
      yield* input;
    } catch (error) {
      source.failure = { error };
      stop();
    }
  }
  pipeline(watched(), child.stdin).catch(() => undefined);
  return source;
}
