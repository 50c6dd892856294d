import { type Operation, webhookSchema } from "./description.ts";
import { json } from "./validators.ts";

/**
 * Operations whose description cannot be true: it asks for an account that is a user and an enterprise at once
 * (`allOf` where other operations have `anyOf`).
 */
const WRONGLY_DESCRIBED: ReadonlySet<string> = new Set(["apps/list-installations"]);

/** What is wrong with an answer of the twin: a status that is not described, or a body that has another shape. */
export function answerProblem(operation: Operation, status: number, body: unknown): string | undefined {
  if (WRONGLY_DESCRIBED.has(operation.id)) return undefined;
  if (!operation.responses.has(status)) {
    // Errors that any operation may give (401, 403, 429, 5xx) are not listed with each.
    return status < 400 ? `status ${status} is not described` : undefined;
  }
  const schema = operation.responses.get(status);
  return schema === undefined ? undefined : json.problem(schema, body, "answer");
}

/** What is wrong with a webhook's payload. */
export function payloadProblem(event: string, payload: Record<string, unknown>): string | undefined {
  const action = typeof payload["action"] === "string" ? payload["action"] : undefined;
  const schema = webhookSchema(event, action);
  if (schema === undefined) return `there is no webhook ${event} ${action ?? ""}`;
  return json.problem(schema, payload, "payload");
}
