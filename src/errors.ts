/** What broke, in one word, for the exit status and for whoever decides whether to try again. */
export type ErrorCode = "usage" | "config" | "infrastructure" | "cancelled";

/**
 * The one error class that Autolith throws: for wrong use and for broken infrastructure only.
 * Expected endings (a red test, a refused patch) are values, never errors.
 * The message says what was tried and on what, in lower case without a full stop, and is fit for a user to read.
 */
export class AutolithError extends Error {
  override readonly name: string = "AutolithError";
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The container engine, the container or its supervisor failed; never used for what repository code does inside it. */
export class SandboxError extends AutolithError {
  override readonly name = "SandboxError";

  constructor(message: string, options?: ErrorOptions) {
    super("infrastructure", message, options);
  }
}

/** The model endpoint could not be used, after all retries that were worth making. */
export class ModelError extends AutolithError {
  override readonly name = "ModelError";
  /** HTTP status of the last answer, undefined when there was none. */
  readonly status: number | undefined;

  constructor(message: string, options: ErrorOptions & { status?: number | undefined } = {}) {
    super("infrastructure", message, options);
    this.status = options.status;
  }
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
