import { parse as parseToml } from "smol-toml";
import { parse as parseYaml } from "yaml";
import { z } from "zod";
import { type Ecosystem, normalizedName } from "./ecosystem.ts";

/** One resolved package of a lockfile. */
export interface LockedPackage {
  readonly version: string;
  /** Where it is fetched from; null when the lockfile does not say. */
  readonly source: string | null;
  readonly integrity: string | null;
}

/** What a lockfile holds. */
export interface Locked {
  readonly ecosystem: Ecosystem;
  /** Every version of a package by its name; the one that the project itself gets comes first. */
  readonly packages: ReadonlyMap<string, readonly LockedPackage[]>;
}

const table = z.record(z.string(), z.unknown()).catch({});
const text = z.string().nullable().catch(null);

/** YAML of other people: no aliases that grow without end. */
const yamlOptions = { maxAliasCount: 100 };

/** Reads a lockfile; null when its form is not understood, or when it is broken. */
export function readLocked(path: string, content: string): Locked | null {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  try {
    if (name === "package-lock.json" || name === "npm-shrinkwrap.json") return npmLock(content);
    if (/^pnpm-lock\.ya?ml$/.test(name)) return pnpmLock(content);
    if (name === "yarn.lock") return yarnLock(content);
    if (/^(poetry|uv|pdm)\.lock$/.test(name)) return pythonLock(content);
  } catch {
    return null;
  }
  return null;
}

/** Versions 2 and 3 have `packages`, by the path that each is installed at; see `npm help package-lock.json`. */
function npmLock(content: string): Locked | null {
  const { packages } = table.parse(JSON.parse(content));
  if (packages === undefined) return null;
  const found = new Map<string, LockedPackage[]>();
  for (const [path, value] of Object.entries(table.parse(packages))) {
    const name = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1];
    const { version, resolved, integrity, link } = table.parse(value);
    if (name === undefined || typeof version !== "string" || link === true) continue;
    const entry = { version, source: text.parse(resolved), integrity: text.parse(integrity) };
    put(found, name, entry, path === `node_modules/${name}`);
  }
  return { ecosystem: "npm", packages: found };
}

/** Keys such as `/name@1.0.0(peer@2.0.0)`, with or without the slash. */
function pnpmLock(content: string): Locked {
  const document = table.parse(parseYaml(content, yamlOptions));
  const found = new Map<string, LockedPackage[]>();
  for (const [key, value] of Object.entries(table.parse(document["packages"]))) {
    const [, name, version] = /^\/?((?:@[^/@]+\/)?[^/@]+)[@/](\d[^()]*)/.exec(key) ?? [];
    if (name === undefined || version === undefined) continue;
    const { tarball, integrity } = table.parse(table.parse(value)["resolution"]);
    put(found, name, { version, source: text.parse(tarball), integrity: text.parse(integrity) }, false);
  }
  const importer = table.parse(table.parse(document["importers"])["."]);
  for (const section of [importer["dependencies"], importer["devDependencies"]]) {
    for (const [name, value] of Object.entries(table.parse(section))) {
      const version = text.parse(table.parse(value)["version"])?.replace(/\(.*$/, "");
      const own = found.get(name)?.find((each) => each.version === version);
      if (own !== undefined) put(found, name, own, true);
    }
  }
  return { ecosystem: "npm", packages: found };
}

/** Blocks of a line that names ranges, and indented fields; yarn 1 and later write them nearly alike. */
function yarnLock(content: string): Locked {
  const found = new Map<string, LockedPackage[]>();
  for (const block of content.split(/\n(?=\S)/)) {
    const name = /^"?((?:@[^/@"]+\/)?[^@"\s]+)@/.exec(block)?.[1];
    const version = /^ {2}version:? "?([^"\n]+)"?$/m.exec(block)?.[1];
    if (name === undefined || version === undefined || /@workspace:/.test(block)) continue;
    const source = /^ {2}resolved "?([^"\n]+)"?$/m.exec(block)?.[1]?.replace(/#.*$/, "") ?? null;
    const integrity = /^ {2}(?:integrity|checksum):? "?([^"\n]+)"?$/m.exec(block)?.[1] ?? null;
    put(found, name, { version, source, integrity }, false);
  }
  return { ecosystem: "npm", packages: found };
}

function pythonLock(content: string): Locked {
  const found = new Map<string, LockedPackage[]>();
  const listed = z
    .array(z.unknown())
    .catch([])
    .parse(table.parse(parseToml(content))["package"]);
  for (const each of listed) {
    const { name, version, source } = table.parse(each);
    if (typeof name !== "string" || typeof version !== "string") continue;
    const registry = text.parse(table.parse(source)["registry"] ?? table.parse(source)["url"] ?? null);
    put(found, normalizedName(name, "python"), { version, source: registry, integrity: null }, false);
  }
  return { ecosystem: "python", packages: found };
}

function put(found: Map<string, LockedPackage[]>, name: string, entry: LockedPackage, isOwn: boolean): void {
  const others = (found.get(name) ?? []).filter(
    ({ version, integrity }) => version !== entry.version || integrity !== entry.integrity,
  );
  found.set(name, isOwn ? [entry, ...others] : [...others, entry]);
}
