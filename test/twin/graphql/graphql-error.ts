import { GraphQLError } from "graphql";

/** An error with the `type` by which GitHub's clients tell errors apart. */
export class TypedError extends GraphQLError {
  readonly type: string;

  constructor(type: string, message: string) {
    super(message);
    this.type = type;
  }
}

/** A name or id that leads nowhere, or to what the token may not see. */
export function unresolved(what: string): TypedError {
  return new TypedError("NOT_FOUND", `Could not resolve to ${what}.`);
}

/** The token lacks a permission. */
export function forbidden(): TypedError {
  return new TypedError("FORBIDDEN", "Resource not accessible by integration");
}

/** An error as GitHub sends it: the type beside the message, which is where Octokit looks. */
export function errorJson(error: GraphQLError): Record<string, unknown> {
  const typed = error instanceof TypedError ? error : error.originalError;
  const { message, path, locations } = error;
  const type = typed instanceof TypedError ? typed.type : undefined;
  return {
    ...(type === undefined ? {} : { type }),
    ...(path === undefined ? {} : { path }),
    ...(type === "FORBIDDEN" ? { extensions: { saml_failure: false } } : {}),
    ...(locations === undefined ? {} : { locations }),
    message,
  };
}
