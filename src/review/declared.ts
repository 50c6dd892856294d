import { parse as parseToml } from "smol-toml";
import { z } from "zod";
import { type Ecosystem, normalizedName } from "./ecosystem.ts";

/** What a manifest asks for: version ranges by package name. */
export interface Declared {
  readonly ecosystem: Ecosystem;
  readonly ranges: ReadonlyMap<string, string>;
}

const table = z.record(z.string(), z.unknown()).catch({});
const list = z.array(z.string()).catch([]);
const npmSections = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];

/** A requirement such as `requests[socks] >=2,<3 ; python_version > "3"`: https://peps.python.org/pep-0508/ */
const requirement = /^\s*([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*(@[^;]*|[^;#]*)/;

/** Reads the dependencies that a manifest declares; null when it is no manifest that is understood, or broken. */
export function readDeclared(path: string, text: string): Declared | null {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  try {
    if (name === "package.json") return { ecosystem: "npm", ranges: npmRanges(text) };
    if (name === "pyproject.toml") return { ecosystem: "python", ranges: projectRanges(text) };
    if (name.endsWith(".txt") || name.endsWith(".in"))
      return { ecosystem: "python", ranges: requirements(lines(text)) };
  } catch {
    return null;
  }
  return null;
}

function npmRanges(text: string): Map<string, string> {
  const manifest = table.parse(JSON.parse(text.replace(/^\ufeff/, "")));
  const ranges = new Map<string, string>();
  // A peer's range is what others must bring; where it is a dependency too, that one decides.
  for (const section of npmSections.toReversed()) {
    for (const [name, range] of Object.entries(table.parse(manifest[section]))) {
      if (typeof range === "string") ranges.set(name, range);
    }
  }
  return ranges;
}

function projectRanges(text: string): Map<string, string> {
  const document = table.parse(parseToml(text.replace(/^\ufeff/, "")));
  const project = table.parse(document["project"]);
  const groups = [project["optional-dependencies"], document["dependency-groups"]].flatMap((group) =>
    Object.values(table.parse(group)),
  );
  const listed = [project["dependencies"], table.parse(document["build-system"])["requires"], ...groups];
  const ranges = requirements(listed.flatMap((each) => list.parse(Array.isArray(each) ? each.filter(isText) : [])));
  const poetry = table.parse(table.parse(document["tool"])["poetry"]);
  const sections = [poetry["dependencies"], poetry["dev-dependencies"]];
  for (const group of Object.values(table.parse(poetry["group"]))) sections.push(table.parse(group)["dependencies"]);
  for (const section of sections) {
    for (const [name, value] of Object.entries(table.parse(section))) {
      const range = typeof value === "string" ? value : table.parse(value)["version"];
      if (typeof range === "string" && name !== "python") ranges.set(normalizedName(name, "python"), range);
    }
  }
  return ranges;
}

function requirements(texts: readonly string[]): Map<string, string> {
  const ranges = new Map<string, string>();
  for (const text of texts) {
    const [, name, range = ""] = requirement.exec(text) ?? [];
    if (name !== undefined) ranges.set(normalizedName(name, "python"), range.replace(/\s+/g, "").replace(/\\$/, ""));
  }
  return ranges;
}

/** Lines that name a package: no options, comments and hashes. */
function lines(text: string): string[] {
  return text.split("\n").filter((line) => /^\s*[A-Za-z0-9]/.test(line));
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
