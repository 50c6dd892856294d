import { readFileSync } from "node:fs";

/** The JSON blocks marked `fixture NAME` of the protocol's own page, by name. */
export function protocolFixtures(): ReadonlyMap<string, Record<string, unknown>> {
  const page = readFileSync(new URL("../../sandbox/PROTOCOL.md", import.meta.url), "utf8");
  const blocks = page.matchAll(/^```json fixture (\S+)\n(.*?)^```$/gms);
  return new Map([...blocks].map(([, name = "", json = ""]) => [name, JSON.parse(json)]));
}

/** One fixture. Throws when the page has none of that name. */
export function protocolFixture(name: string): Record<string, unknown> {
  const fixture = protocolFixtures().get(name);
  if (fixture === undefined) throw new Error(`PROTOCOL.md has no fixture ${name}`);
  return fixture;
}
