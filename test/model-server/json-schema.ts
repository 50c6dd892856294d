const types = new Set(["object", "array", "string", "integer", "number", "boolean", "null"]);

/** What is wrong with the JSON schema of a tool's arguments, by the rules that endpoints share; null when nothing is. */
export function schemaComplaint(schema: unknown): string | null {
  if (!isRecord(schema) || schema["type"] !== "object") return "its type is not object";
  return nodeComplaint(schema, "arguments");
}

function nodeComplaint(schema: Record<string, unknown>, place: string): string | null {
  const type = schema["type"];
  const isKnown =
    typeof type === "string" ? types.has(type) : Array.isArray(schema["enum"]) || Array.isArray(schema["anyOf"]);
  if (!isKnown) return `${place} has no known type`;
  if (type === "array" && !isRecord(schema["items"])) return `${place} has no items`;
  if (Array.isArray(schema["enum"]) && schema["enum"].length === 0) return `${place} has an empty enum`;
  return objectComplaint(schema, place) ?? childComplaint(schema["items"], `${place}[]`);
}

function objectComplaint(schema: Record<string, unknown>, place: string): string | null {
  if (schema["type"] !== "object") return null;
  const properties = schema["properties"];
  if (!isRecord(properties)) return `${place} has no properties`;
  const required: unknown = schema["required"] ?? [];
  if (!Array.isArray(required)) return `${place} has a required that is no list`;
  const missing = required.find((name) => typeof name !== "string" || !(name in properties));
  if (missing !== undefined) return `${place} requires ${String(missing)}, which is no property`;
  for (const [name, child] of Object.entries(properties)) {
    if (!isRecord(child)) return `${place}.${name} is no schema`;
    const complaint = nodeComplaint(child, `${place}.${name}`);
    if (complaint !== null) return complaint;
  }
  return null;
}

function childComplaint(schema: unknown, place: string): string | null {
  return isRecord(schema) ? nodeComplaint(schema, place) : null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
