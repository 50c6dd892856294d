import type { Checkout } from "../checkout/snapshot.ts";
import { type ChangedText, textOf } from "./change.ts";
import { readDeclared } from "./declared.ts";
import { folderOf } from "./ecosystem.ts";
import { type Locked, readLocked } from "./locked.ts";
import { satisfies } from "./satisfies.ts";

/** A place where manifest and lockfile do not fit, or where a lockfile changes what it should not. `message` is for a person. */
export interface Disagreement {
  readonly file: string;
  /** A word of the line that it is about. */
  readonly anchor: string;
  readonly message: string;
}

export interface AgreementInput {
  readonly head: Checkout;
  readonly files: readonly ChangedText[];
}

const lockNames = ["package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock", "poetry.lock", "uv.lock"];

/** Holds every changed manifest against its lockfile at the head, and every changed lockfile against what it was. */
export async function findDisagreements({ head, files }: AgreementInput): Promise<Disagreement[]> {
  const found: Disagreement[] = [];
  for (const { manifest, lockfile } of pairsOf(head, files)) {
    const asked = readDeclared(manifest, (await textOf(head, manifest)) ?? "");
    const locked = readLocked(lockfile, (await textOf(head, lockfile)) ?? "");
    if (asked === null || locked === null || asked.ecosystem !== locked.ecosystem) continue;
    const before = files.find(({ file }) => file.path === manifest)?.before ?? null;
    const known = before === null ? asked.ranges : (readDeclared(manifest, before)?.ranges ?? asked.ranges);
    found.push(...compare({ manifest, lockfile, ranges: asked.ranges, known, locked }));
  }
  return [...found, ...files.flatMap(findTampering)];
}

/** Manifests that changed, or whose lockfile did, each with the lockfile of its folder or of the top. */
function pairsOf(head: Checkout, files: readonly ChangedText[]): { manifest: string; lockfile: string }[] {
  const changed = new Set(files.map(({ file }) => file.path));
  const manifests = head.paths.filter((path) => /(^|\/)(package\.json|pyproject\.toml)$/.test(path));
  return manifests.flatMap((manifest) => {
    if (/(^|\/)node_modules\//.test(manifest)) return [];
    const folder = folderOf(manifest);
    const names = lockNames.map((name) => (folder === "" ? name : `${folder}/${name}`));
    const lockfile = names.find((path) => head.entries.has(path));
    if (lockfile === undefined || !(changed.has(manifest) || changed.has(lockfile))) return [];
    return [{ manifest, lockfile }];
  });
}

interface Pair {
  readonly manifest: string;
  readonly lockfile: string;
  readonly ranges: ReadonlyMap<string, string>;
  /** What the manifest asked for before. */
  readonly known: ReadonlyMap<string, string>;
  readonly locked: Locked;
}

function compare({ manifest, lockfile, ranges, known, locked }: Pair): Disagreement[] {
  const found: Disagreement[] = [];
  for (const [name, range] of ranges) {
    const entries = locked.packages.get(name);
    if (entries === undefined) {
      // Peers, workspaces and what only some systems need may be left out of a lockfile; what is new has to be added to it.
      if (known.has(name)) continue;
      found.push({
        file: manifest,
        anchor: name,
        message: `${manifest} asks for ${name}, which ${lockfile} does not have`,
      });
      continue;
    }
    const fits = entries.map(({ version }) => satisfies(version, range, locked.ecosystem));
    if (fits.some((fit) => fit !== false)) continue;
    const has = entries.map(({ version }) => version).join(", ");
    const message = `${manifest} asks for ${name} ${range}, and ${lockfile} has ${has}`;
    found.push({ file: manifest, anchor: name, message });
  }
  return found;
}

/** A version that was published does not change: neither its bytes nor the server that it comes from. */
function findTampering({ file, role, before, after }: ChangedText): Disagreement[] {
  if (role !== "lockfile" || before === null || after === null) return [];
  const old = readLocked(file.path, before);
  const now = readLocked(file.path, after);
  if (old === null || now === null) return [];
  const hosts = new Set([...old.packages.values()].flat().map(({ source }) => hostOf(source)));
  const found: Disagreement[] = [];
  for (const [name, entries] of now.packages) {
    for (const { version, source, integrity } of entries) {
      const host = hostOf(source);
      if (host !== null && hosts.size > 0 && !hosts.has(host)) {
        const message = `${name} ${version} comes from ${host}, from which nothing came before`;
        found.push({ file: file.path, anchor: source ?? name, message });
      }
      const same = old.packages.get(name)?.filter((each) => each.version === version && each.integrity !== null) ?? [];
      if (integrity !== null && same.length > 0 && same.every((each) => !sharesHash(each.integrity, integrity))) {
        const message = `${name} ${version} has another checksum than before, though it is the same version`;
        found.push({ file: file.path, anchor: integrity, message });
      }
    }
  }
  return found;
}

function hostOf(source: string | null): string | null {
  return source === null ? null : (URL.parse(source)?.host ?? null);
}

/** A lockfile may move from one kind of hash to another; only two of the same kind can be compared. */
function sharesHash(before: string | null, after: string): boolean {
  const kinds = (text: string) => new Map(text.split(/\s+/).map((hash) => [hash.split(/[-/:]/)[0] ?? "", hash]));
  const old = kinds(before ?? "");
  const now = kinds(after);
  const both = [...old].filter(([kind]) => now.has(kind));
  return both.length === 0 || both.some(([kind, hash]) => now.get(kind) === hash);
}
