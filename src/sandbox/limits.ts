/** Caps of one sandbox. Bytes, counts and milliseconds; every one is configurable. */
export interface SandboxLimits {
  /** Memory of the whole container, swap included; also holds what is written to the in-memory file systems. */
  readonly memoryBytes: number;
  /** CPU time a second, in billionths of one CPU; lowered to what the engine's machine has. */
  readonly nanoCpus: number;
  readonly pids: number;
  /** File descriptors of one process. */
  readonly openFiles: number;
  readonly tmpBytes: number;
  /** Size of `/run/autolith`, which holds inputs and reports of runs. */
  readonly scratchBytes: number;
  readonly sharedMemoryBytes: number;
  readonly workspaceBytes: number;
  readonly workspaceFiles: number;
  /** Kept from the start of each output stream. */
  readonly outputHeadBytes: number;
  /** Kept from the end of each output stream. */
  readonly outputTailBytes: number;
  /** Written to one stream, after which the process is killed. */
  readonly outputTotalBytes: number;
  readonly reportBytes: number;
  /**
   * How long after the deadline of an execution or a run the supervisor may still answer, before the container is killed.
   * The supervisor itself waits one second between interrupt and kill, and sweeping a fork bomb on a busy machine took
   * longer than another: a container that is killed too early costs the job, one that is killed late only time.
   */
  readonly graceMs: number;
}

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;
const gibibyte = 1024 * mebibyte;

export const defaultSandboxLimits: SandboxLimits = {
  memoryBytes: gibibyte,
  nanoCpus: 2_000_000_000,
  pids: 256,
  openFiles: 4096,
  tmpBytes: 256 * mebibyte,
  scratchBytes: 64 * mebibyte,
  sharedMemoryBytes: 64 * mebibyte,
  workspaceBytes: 2 * gibibyte,
  workspaceFiles: 200_000,
  outputHeadBytes: 64 * kibibyte,
  outputTailBytes: 64 * kibibyte,
  outputTotalBytes: 64 * mebibyte,
  reportBytes: 16 * mebibyte,
  graceMs: 5_000,
};
