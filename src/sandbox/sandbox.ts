/** Languages that have a live runtime: a process that keeps its state between executions. */
export type Language = "python" | "node";

export interface TextOutput {
  /** UTF-8 text; bytes that are not UTF-8 are written as `\xNN`. When bytes were dropped, a marker line stands where they were. */
  readonly text: string;
  /** Bytes left out of the middle, because the stream was longer than head plus tail. */
  readonly droppedBytes: number;
}

export interface Frame {
  /** Path as the runtime reports it; absolute inside the sandbox, or `<execution-N>` for code sent to `execute`. */
  readonly file: string;
  readonly line: number;
  readonly function: string;
  /** The source line, trimmed; empty when it cannot be read. */
  readonly source: string;
  /** Local variables as bounded text; values under names that look secret, and values that look like secrets, are redacted. */
  readonly locals: Readonly<Record<string, string>>;
}

export interface ExceptionReport {
  readonly type: string;
  readonly message: string;
  /** Outermost call first, as in a Python traceback. */
  readonly frames: readonly Frame[];
  /** The exception that this one was raised from or while handling, when there is one. */
  readonly cause?: ExceptionReport | undefined;
}

/**
 * How an execution or a run ended. `exited`: the code ended its own process (execution), or the process exited (run).
 * `lost`: the process or its channel died in a way that the supervisor cannot explain, or broke the protocol.
 */
export type ExecutionStatus =
  | "ok"
  | "error"
  | "timeout"
  | "interrupted"
  | "oom"
  | "output-limit"
  | "exited"
  | "signalled"
  | "lost";

/** One piece of code run in a live runtime. Advice for the model, never evidence for a verdict. */
export interface ExecutionResult {
  readonly status: ExecutionStatus;
  /** Bounded text of the last expression's value; null when there is none. */
  readonly value: string | null;
  readonly stdout: TextOutput;
  readonly stderr: TextOutput;
  readonly exception: ExceptionReport | null;
  readonly durationMs: number;
  /** Resident memory of the runtime after the execution, in bytes. */
  readonly memoryBytes: number;
  /** Workspace files whose modules are loaded in the runtime in an older version than the file now has. */
  readonly stale: readonly string[];
  /** Threads, children and tasks that the code left running, in words; empty when none. */
  readonly background: readonly string[];
  /** Changes whenever variables were lost. */
  readonly epoch: number;
}

export interface ExecuteRequest {
  readonly language: Language;
  readonly code: string;
  readonly timeoutMs: number;
}

export interface RunRequest {
  readonly argv: readonly string[];
  /** Absolute, inside the sandbox. */
  readonly cwd: string;
  /** Added to the sandbox's own environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** When true the supervisor makes a fresh, empty file below `/run/autolith`, names it in `AUTOLITH_REPORT`, and returns its bytes. */
  readonly report: boolean;
  /** Written to a fresh file whose path is in `AUTOLITH_INPUT`, for report plugins (for example the ids to select). */
  readonly input?: string | undefined;
}

/** A process run to its end in the sandbox. The supervisor, not the process, states everything but the report. */
export interface RunResult {
  readonly status: Exclude<ExecutionStatus, "ok" | "error">;
  /** Exit status of the process; null unless it exited by itself. */
  readonly exitCode: number | null;
  /** Signal name such as `SIGKILL`; null unless it died by one. */
  readonly signal: string | null;
  readonly stdout: TextOutput;
  readonly stderr: TextOutput;
  readonly durationMs: number;
  /** Largest resident memory of the process and its descendants that the kernel reports, in bytes. */
  readonly memoryBytes: number;
  /** Bytes that the report plugin wrote; null without a report or when it is larger than the cap. */
  readonly report: Uint8Array | null;
  /** Where the process hung, when it timed out and could still be asked (Python stacks); otherwise null. */
  readonly stack: string | null;
}

/** `file` is a regular file; `symlink` holds its target as `bytes`. */
export interface WorkspaceFile {
  /** Relative to the workspace, `/`-separated, no `.` or `..` segments. */
  readonly path: string;
  readonly kind: "file" | "symlink";
  readonly executable: boolean;
  readonly bytes: Uint8Array;
}

export interface WorkspaceEntry {
  readonly path: string;
  /** `other`: a directory, device, socket or FIFO where a file was asked for. */
  readonly kind: "file" | "symlink" | "missing" | "other";
  readonly executable: boolean;
  readonly size: number;
  /** Hex SHA-256 of a file's bytes or a link's target; null for `missing` and `other`. */
  readonly sha256: string | null;
}

export interface SandboxFacts {
  readonly protocol: number;
  readonly pythonVersion: string;
  readonly nodeVersion: string;
  readonly cgroupVersion: 1 | 2;
  readonly memoryLimitBytes: number;
  readonly containerId: string;
}

/** What tools may do in a sandbox. Every method rejects with `SandboxError` when the container is gone, and with the signal's reason when aborted. */
export interface SandboxSession {
  readonly facts: SandboxFacts;
  /** Replaces (`reset`) or adds to the workspace. With `reset`, `/work`, `/tmp` and `HOME` are emptied first, and a fresh one-commit git repository is made after the files arrived. */
  put(
    files: Iterable<WorkspaceFile> | AsyncIterable<WorkspaceFile>,
    options: { reset: boolean },
    signal: AbortSignal,
  ): Promise<void>;
  /** Deletes files or symlinks; a missing one is no error. */
  remove(paths: readonly string[], signal: AbortSignal): Promise<void>;
  /** Every file and symlink of the workspace but `.git/`, with size and hash. */
  list(signal: AbortSignal): Promise<WorkspaceEntry[]>;
  /** States kind, size and hash of the given paths, never following a symlink. */
  stat(paths: readonly string[], signal: AbortSignal): Promise<WorkspaceEntry[]>;
  /** Reads one regular file or symlink; null when it is missing, of another kind, or larger than `maxBytes`. */
  get(path: string, maxBytes: number, signal: AbortSignal): Promise<WorkspaceFile | null>;
  execute(request: ExecuteRequest, signal: AbortSignal): Promise<ExecutionResult>;
  /** Runs a process to its end; afterwards everything that it left running is killed. Live runtimes keep their state. */
  run(request: RunRequest, signal: AbortSignal): Promise<RunResult>;
  /** Kills every process but the supervisor; live runtimes lose their state and the epoch changes. */
  sweep(signal: AbortSignal): Promise<void>;
}

/** The owner's view: whoever started a sandbox must dispose of it. Disposal is idempotent, bounded in time and does not throw. */
export interface Sandbox extends SandboxSession, AsyncDisposable {}

/** Starts a fresh container without network. Rejects with `SandboxError`. */
export type StartSandbox = (signal: AbortSignal) => Promise<Sandbox>;

/** What an install made, kept at the engine. Sandboxes that are started with it have it at the paths where it was made. */
export interface Layer {
  /** Hex SHA-256 of all that decides what it holds and who may use it. */
  readonly key: string;
  readonly files: number;
  readonly bytes: number;
  /** The engine's name of the volume. */
  readonly volume: string;
}

/** How the making of a layer ended. */
export type Sealed =
  | { readonly kind: "sealed"; readonly layer: Layer }
  /** What stands there cannot be kept; the fault of what was installed. */
  | { readonly kind: "unfit"; readonly problem: string };

/**
 * A throw-away container with network in which a layer is made: what its runs leave in `/work`, besides the files that were put
 * there, and in `/layer/.autolith/venv` and `/layer/.autolith/tools`. Disposal removes it, and the layer too unless it was sealed.
 */
export interface InstallSandbox extends Sandbox {
  /** Kills everything, keeps what was made, and ends the container. Another one's layer is given where that was sealed first. */
  seal(signal: AbortSignal): Promise<Sealed>;
}

/** Layers and sandboxes of one engine and one image. */
export interface Sandboxes {
  /** What the key of a layer must hold besides its contents; `owner` is whose the layers are. */
  readonly platform: { readonly owner: string; readonly image: string; readonly architecture: string };
  /** Sandboxes that have the layer, when one is given. */
  starter(layer: Layer | null): StartSandbox;
  /** A finished layer; null when there is none. */
  findLayer(key: string, signal: AbortSignal): Promise<Layer | null>;
  startInstall(key: string, signal: AbortSignal): Promise<InstallSandbox>;
}
