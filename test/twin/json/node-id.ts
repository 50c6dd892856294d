/** What a node id stands for, and which one. */
export interface NodeId {
  readonly kind: string;
  readonly id: string;
}

/** The global id of a thing, as GraphQL takes it: opaque to everybody but the twin. */
export function nodeId(kind: string, id: number | string): string {
  return `${kind}_${Buffer.from(`${kind}:${id}`).toString("base64url")}`;
}

/** Reads a global id back; undefined when the twin did not make it. */
export function readNodeId(text: string): NodeId | undefined {
  const encoded = text.slice(text.indexOf("_") + 1);
  const match = /^(\w+):(.+)$/s.exec(Buffer.from(encoded, "base64url").toString("utf8"));
  if (match?.[1] === undefined || match[2] === undefined) return undefined;
  return nodeId(match[1], match[2]) === text ? { kind: match[1], id: match[2] } : undefined;
}
