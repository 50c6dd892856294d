import { Ajv, type ValidateFunction } from "ajv";
import formats from "ajv-formats";
import { resolveReference, type Schema } from "./description.ts";

const BASE = "https://schemas.invalid/";
/** Formats of GitHub's own, which say nothing that could be checked. */
const OWN_FORMATS = ["repo.nwo", "timestamp", "binary"];

/** Compiles schemas of the API description on demand; components are shared and compiled once. */
class Validators {
  readonly #ajv: Ajv;
  readonly #added = new Set<string>();
  readonly #compiled = new WeakMap<Schema, ValidateFunction>();

  constructor(coerceTypes: boolean) {
    // Without inlining each component is compiled once, which halves the time of the large ones.
    const fast = { inlineRefs: false, validateSchema: false };
    this.#ajv = new Ajv({ strict: false, coerceTypes, logger: false, ...fast });
    formats.default(this.#ajv, { mode: "fast" });
    for (const format of OWN_FORMATS) this.#ajv.addFormat(format, true);
  }

  /** The first thing that is wrong with a value, as `body/name must be string`; undefined when nothing is. */
  problem(schema: Schema, value: unknown, name: string): string | undefined {
    const validate = this.#compiled.get(schema) ?? this.#compile(schema);
    if (validate(value) === true) return undefined;
    return this.#ajv.errorsText(validate.errors, { dataVar: name });
  }

  #compile(schema: Schema): ValidateFunction {
    const validate = this.#ajv.compile(this.#convert(schema) as object);
    this.#compiled.set(schema, validate);
    return validate;
  }

  /** Turns OpenAPI 3.0 into JSON Schema: `nullable` becomes a choice, and references point at added schemas. */
  #convert(node: unknown): unknown {
    if (Array.isArray(node)) return node.map((item) => this.#convert(item));
    if (typeof node !== "object" || node === null) return node;
    const schema = node as Schema;
    if (typeof schema["$ref"] === "string") return { $ref: this.#add(schema["$ref"]) };
    const { nullable, example: _, examples: __, discriminator: ___, ...rest } = schema;
    const converted = Object.fromEntries(
      Object.entries(rest).map(([key, value]) => [key, this.#convertValue(key, value)]),
    );
    return nullable === true ? { anyOf: [{ type: "null" }, converted] } : converted;
  }

  #convertValue(key: string, value: unknown): unknown {
    if (key === "enum" || key === "required" || key === "default") return value;
    // Below `properties` keys are names, so that one called "example" or "nullable" is not an annotation.
    if (key !== "properties") return this.#convert(value);
    return Object.fromEntries(Object.entries(value as Schema).map(([name, schema]) => [name, this.#convert(schema)]));
  }

  #add(reference: string): string {
    const id = `${BASE}${reference.slice("#/components/".length)}`;
    if (!this.#added.has(id)) {
      this.#added.add(id);
      this.#ajv.addSchema(this.#convert(resolveReference(reference)) as object, id);
    }
    return id;
  }
}

/** For JSON. */
export const json = new Validators(false);

/** For parameters, which come as text. */
export const text = new Validators(true);
