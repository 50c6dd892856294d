/** What a route answers. */
export interface Answer {
  readonly status: number;
  /** Sent as JSON; nothing is sent when it is undefined. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** In place of JSON. */
  readonly raw?: { readonly type: string; readonly data: Buffer };
}

/** One entry of the `errors` of a 422. */
export interface FieldError {
  readonly resource: string;
  readonly field?: string;
  readonly code: string;
  readonly message?: string;
  readonly value?: unknown;
}

/** An answer that ends a request early, in the form that GitHub gives its errors. */
export class ApiError extends Error {
  readonly status: number;
  readonly errors: readonly FieldError[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    message: string,
    errors?: readonly FieldError[],
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.status = status;
    this.errors = errors;
    this.headers = headers;
  }
}

/** 404, which is also what GitHub says of what a token may not see. */
export function notFound(): ApiError {
  return new ApiError(404, "Not Found");
}

/** The 403 of a token that lacks a permission. */
export function notAccessible(): ApiError {
  return new ApiError(403, "Resource not accessible by integration");
}

/** 422 with the fields that are wrong. */
export function validationFailed(...errors: readonly FieldError[]): ApiError {
  return new ApiError(422, "Validation Failed", errors);
}

/** The value, or a 404. */
export function found<T>(value: T | undefined | null): T {
  if (value === undefined || value === null) throw notFound();
  return value;
}
