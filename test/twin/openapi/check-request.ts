import { type Operation, resolveReference, type Schema } from "./description.ts";
import { json, text } from "./validators.ts";

/** A request as the description sees it. */
export interface DescribedRequest {
  readonly query: URLSearchParams;
  /** Parsed JSON; undefined when there is no body. */
  readonly body: unknown;
}

/** What became of a request's check. */
export interface RequestCheck {
  /** The query with numbers and truth values in place of text. */
  readonly query: Record<string, unknown>;
  /** What GitHub answers 422 to. */
  readonly errors: readonly string[];
  /** What GitHub ignores without a word, and nobody means to send. */
  readonly ignored: readonly string[];
}

/** Holds a request against the description of its operation. */
export function checkRequest(operation: Operation, request: DescribedRequest): RequestCheck {
  const errors: string[] = [];
  const ignored: string[] = [];
  const query = readQuery(operation, request.query, errors, ignored);
  if (request.body === undefined) {
    if (operation.bodyRequired) errors.push("body is missing");
  } else if (operation.body === undefined) {
    ignored.push("body");
  } else {
    const problem = json.problem(operation.body, request.body, "body");
    if (problem !== undefined) errors.push(problem);
    ignored.push(...unknownKeys(operation.body, request.body, "body"));
  }
  return { query, errors, ignored };
}

function readQuery(
  operation: Operation,
  query: URLSearchParams,
  errors: string[],
  ignored: string[],
): Record<string, unknown> {
  const values: Record<string, unknown> = Object.fromEntries(query);
  const described = operation.parameters.filter((parameter) => parameter.in === "query");
  for (const parameter of described) {
    const { name } = parameter;
    if (values[name] === undefined && parameter.required) errors.push(`query/${name} is missing`);
    if (values[name] === undefined) continue;
    const holder = { value: values[name] };
    const problem = text.problem(holderSchema(parameter.schema), holder, `query/${name}`);
    if (problem !== undefined) errors.push(problem);
    values[name] = holder.value;
  }
  const known = new Set(described.map(({ name }) => name));
  ignored.push(
    ...Object.keys(values)
      .filter((name) => !known.has(name))
      .map((name) => `query/${name}`),
  );
  return values;
}

const holders = new WeakMap<Schema, Schema>();

/** Coercion works on properties only, so a parameter is checked as the property of an object. */
function holderSchema(schema: Schema): Schema {
  const holder = holders.get(schema) ?? { type: "object", properties: { value: schema } };
  holders.set(schema, holder);
  return holder;
}

/** The keys that no part of a schema names. A schema that names none takes all. */
function unknownKeys(schema: Schema, value: unknown, at: string): string[] {
  const variants = variantsOf(schema);
  if (Array.isArray(value)) {
    const items = variants.map((variant) => variant["items"]).find((found) => found !== undefined);
    return items === undefined
      ? []
      : value.flatMap((item, index) => unknownKeys(items as Schema, item, `${at}/${index}`));
  }
  if (typeof value !== "object" || value === null) return [];
  if (variants[0]?.["additionalProperties"]) return [];
  const properties = Object.assign({}, ...variants.map((variant) => variant["properties"] ?? {})) as Record<
    string,
    Schema
  >;
  if (Object.keys(properties).length === 0) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const known = properties[key];
    return known === undefined ? [`${at}/${key}`] : unknownKeys(known, inner, `${at}/${key}`);
  });
}

/** A schema and everything that it is composed of. */
function variantsOf(schema: Schema): Schema[] {
  if (typeof schema["$ref"] === "string") return variantsOf(resolveReference(schema["$ref"]));
  const parts = ["allOf", "anyOf", "oneOf"].flatMap((key) => (schema[key] as Schema[] | undefined) ?? []);
  return [schema, ...parts.flatMap(variantsOf)];
}
