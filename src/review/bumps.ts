import type { ChangedText } from "./change.ts";
import { readDeclared } from "./declared.ts";
import { type Ecosystem, folderOf } from "./ecosystem.ts";
import { readLocked } from "./locked.ts";

/** One package whose version changes. */
export interface Bump {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  /** The version, or the range where no lockfile tells; null for a package that is new, or gone. */
  readonly from: string | null;
  readonly to: string | null;
  /** Whether the project itself asks for it, rather than another package. */
  readonly direct: boolean;
  /** The file whose line says so. */
  readonly file: string;
}

/** Reads the bumps of a change: those of manifests, told by their lockfile's versions where there is one, then the transitive ones. */
export function findBumps(files: readonly ChangedText[]): Bump[] {
  const locked = files.flatMap(lockedBumps);
  const declared = files.flatMap(declaredBumps).map((bump) => {
    const own = locked.find((each) => each.name === bump.name && belongs(each.file, bump.file));
    return own === undefined || own.from === null || own.to === null ? bump : { ...bump, from: own.from, to: own.to };
  });
  const known = new Set(declared.map(({ ecosystem, name }) => `${ecosystem} ${name}`));
  return [...declared, ...locked.filter(({ ecosystem, name }) => !known.has(`${ecosystem} ${name}`))];
}

/** A lockfile speaks for the manifests of its folder and those below. */
function belongs(lockfile: string, manifest: string): boolean {
  const folder = folderOf(lockfile);
  return folder === "" || folderOf(manifest) === folder || folderOf(manifest).startsWith(`${folder}/`);
}

function declaredBumps({ file, role, before, after }: ChangedText): Bump[] {
  if (role !== "manifest") return [];
  const old = readDeclared(file.path, before ?? "");
  const now = readDeclared(file.path, after ?? "");
  const ecosystem = now?.ecosystem ?? old?.ecosystem;
  if (ecosystem === undefined) return [];
  return changed(old?.ranges, now?.ranges).map(({ name, from, to }) => ({
    ...{ ecosystem, name, direct: true, file: file.path },
    from: from === null ? null : plainRange(from),
    to: to === null ? null : plainRange(to),
  }));
}

function lockedBumps({ file, role, before, after }: ChangedText): Bump[] {
  if (role !== "lockfile" || before === null || after === null) return [];
  const old = readLocked(file.path, before);
  const now = readLocked(file.path, after);
  if (old === null || now === null) return [];
  const { ecosystem } = now;
  const versions = (side: typeof now) =>
    new Map([...side.packages].map(([name, entries]) => [name, entries.map(({ version }) => version).join(", ")]));
  return changed(versions(old), versions(now)).map((each) => ({ ...each, ecosystem, direct: false, file: file.path }));
}

function changed(old: ReadonlyMap<string, string> = new Map(), now: ReadonlyMap<string, string> = new Map()) {
  const names = [...new Set([...old.keys(), ...now.keys()])];
  return names
    .map((name) => ({ name, from: old.get(name) ?? null, to: now.get(name) ?? null }))
    .filter(({ from, to }) => from !== to);
}

/** `==2.0.0` pins one version, which is then its name. */
function plainRange(range: string): string {
  return range.replace(/^==?(?=\d[\w.]*$)/, "");
}
