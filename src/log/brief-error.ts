import { messageOf } from "../errors.ts";

/** What is logged of an error. */
export interface BriefError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly status?: number;
  readonly stack: string;
  readonly cause?: BriefError;
  readonly errors?: readonly BriefError[];
}

const causesFollowed = 5;

/**
 * What is safe to log of an error. Libraries hang whole webhooks, requests and statements with their values on the errors they
 * throw, so that only named fields are taken, and drizzle's error, whose message repeats the values, gives way to the database's.
 */
export function briefError(thrown: unknown, depth = 0): BriefError {
  const error = withoutValues(thrown);
  const { code, status, cause, errors } = fieldsOf(error);
  const goesOn = depth < causesFollowed;
  return {
    type: error instanceof Error ? error.name : typeof error,
    message: messageOf(error),
    ...(typeof code === "string" && { code }),
    ...(typeof status === "number" && { status }),
    stack: framesOf(error),
    ...(cause !== undefined && goesOn && { cause: briefError(cause, depth + 1) }),
    ...(Array.isArray(errors) && goesOn && { errors: errors.slice(0, 10).map((each) => briefError(each, depth + 1)) }),
  };
}

/** The error behind drizzle's, which knows what went wrong. */
export function withoutValues(error: unknown): unknown {
  return error instanceof Error && "query" in error && error.cause instanceof Error ? error.cause : error;
}

function fieldsOf(error: unknown): { code?: unknown; status?: unknown; cause?: unknown; errors?: unknown } {
  return error instanceof Error ? error : {};
}

/** A stack begins with the message, which may be long. */
function framesOf(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  return stack
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 12)
    .join("\n");
}
