import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** A schema of OpenAPI 3.0. */
export type Schema = { readonly [key: string]: unknown };

/** A parameter of an operation. */
interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly schema: Schema;
}

/** One operation of the API, or one webhook. */
export interface Operation {
  /** `checks/create` */
  readonly id: string;
  readonly docs: string;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | undefined;
  readonly bodyRequired: boolean;
  /** Status to the schema of the JSON that is answered; undefined for answers without JSON. */
  readonly responses: ReadonlyMap<number, Schema | undefined>;
}

/** What the document looks like, as far as the twin reads it. */
interface Document {
  readonly paths: Record<string, Record<string, RawOperation>>;
  readonly "x-webhooks": Record<string, { readonly post: RawOperation }>;
  readonly components: Record<string, Record<string, Schema>>;
}

interface RawOperation {
  readonly operationId?: string;
  readonly externalDocs?: { readonly url: string };
  readonly parameters?: readonly Schema[];
  readonly requestBody?: { readonly required?: boolean; readonly content?: RawContent };
  readonly responses?: Record<string, Schema>;
}

type RawContent = Record<string, { readonly schema?: Schema }>;

let loaded: Document | undefined;

/** GitHub's description of its API, 13 MB, read on first use and once per process. */
function document(): Document {
  if (loaded === undefined) {
    const require = createRequire(import.meta.url);
    const path = require.resolve("@octokit/openapi/generated/api.github.com.json");
    loaded = JSON.parse(readFileSync(path, "utf8")) as Document;
  }
  return loaded;
}

/** The operation `METHOD /path/{template}`; undefined when GitHub does not describe it. */
export function operation(on: string): Operation | undefined {
  const [method = "", path = ""] = on.split(" ");
  const raw = document().paths[path]?.[method.toLowerCase()];
  return raw === undefined ? undefined : read(raw);
}

/** The schema of a webhook's payload: `check_run`, `completed`. */
export function webhookSchema(event: string, action: string | undefined): Schema | undefined {
  const name = [event, action]
    .filter((part) => part !== undefined)
    .join("-")
    .replaceAll("_", "-");
  const raw = document()["x-webhooks"][name];
  return raw === undefined ? undefined : read(raw.post).body;
}

/** What a `$ref` into the document's components points to. */
export function resolveReference(reference: string): Schema {
  const [, , kind = "", name = ""] = reference.split("/");
  const target = document().components[kind]?.[name];
  if (target === undefined) throw new Error(`the API description has no ${reference}`);
  return target;
}

function read(raw: RawOperation): Operation {
  const responses = Object.entries(raw.responses ?? {}).map(([status, response]) => {
    const content = dereference(response)["content"] as RawContent | undefined;
    return [Number(status), jsonSchemaOf(content)] as const;
  });
  return {
    id: raw.operationId ?? "",
    docs: raw.externalDocs?.url ?? "https://docs.github.com/rest",
    parameters: (raw.parameters ?? []).map((parameter) => dereference(parameter) as unknown as Parameter),
    body: jsonSchemaOf(raw.requestBody?.content),
    bodyRequired: raw.requestBody?.required === true,
    responses: new Map(responses),
  };
}

function jsonSchemaOf(content: RawContent | undefined): Schema | undefined {
  return content?.["application/json"]?.schema;
}

function dereference(schema: Schema): Schema {
  return typeof schema["$ref"] === "string" ? resolveReference(schema["$ref"]) : schema;
}
