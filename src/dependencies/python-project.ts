import { posix } from "node:path";
import { parse } from "smol-toml";
import { z } from "zod";
import { type FileReader, readText } from "../runner/file-reader.ts";

/** What a Python project says of itself. */
export interface PythonProject {
  /** Files that say it. */
  readonly files: readonly string[];
  /** Requirements of the project as a program. */
  readonly dependencies: readonly string[];
  /** Names of extras that tests may need. */
  readonly extras: readonly string[];
  /** Requirements of those extras. */
  readonly extraDependencies: readonly string[];
  /** Names of dependency groups that tests may need. */
  readonly groups: readonly string[];
  /** True when its tests import it as an installed package. */
  readonly isPackage: boolean;
  /** True when the lists above are all that it needs; else only its own set-up program knows. */
  readonly isStatic: boolean;
}

const forTests = /^(?:dev|develop|development|test|tests|testing)$/i;
/** Requirements; whatever else stands there would be an option to pip. */
const requirements = z
  .array(z.string())
  .catch([])
  .transform((list) => list.filter((each) => /^[A-Za-z0-9]/.test(each)));
const schema = z.object({
  "build-system": z.unknown().optional(),
  project: z
    .object({
      dependencies: requirements.default([]),
      "optional-dependencies": z.record(z.string(), requirements).catch({}).default({}),
    })
    .optional()
    .catch(undefined),
  "dependency-groups": z.record(z.string(), z.unknown()).optional().catch(undefined),
  tool: z.object({ poetry: z.unknown().optional() }).optional().catch(undefined),
});

/** The project in a folder (`""`: the root); null when there is none. */
export async function pythonProject(files: FileReader, folder: string): Promise<PythonProject | null> {
  const at = (name: string) => posix.join(folder, name);
  const present = ["pyproject.toml", "setup.py", "setup.cfg"].map(at).filter((path) => files.paths.includes(path));
  const manifest = schema.safeParse(await readToml(files, at("pyproject.toml"))).data;
  const setup = present.includes(at("setup.py")) || (await hasMetadata(files, at("setup.cfg")));
  const { project } = manifest ?? {};
  if (!setup && project === undefined && manifest?.["build-system"] === undefined) {
    return manifest?.["dependency-groups"] === undefined
      ? null
      : { ...nothing, files: present, groups: groupsOf(manifest) };
  }
  const extras = Object.entries(project?.["optional-dependencies"] ?? {}).filter(([name]) => forTests.test(name));
  return {
    files: present,
    dependencies: project?.dependencies ?? [],
    // What a set-up program calls them is not known before it runs, and pip only warns of a name that there is not.
    extras: project === undefined && setup ? ["dev", "test", "tests", "testing"] : extras.map(([name]) => name),
    extraDependencies: extras.flatMap(([, list]) => list),
    groups: groupsOf(manifest ?? {}),
    isStatic: project !== undefined,
    isPackage: setup || manifest?.["build-system"] !== undefined || hasSourceFolder(files, folder),
  };
}

const nothing = { dependencies: [], extras: [], extraDependencies: [], isPackage: false, isStatic: true };

function groupsOf(manifest: { readonly "dependency-groups"?: Record<string, unknown> | undefined }): string[] {
  return Object.keys(manifest["dependency-groups"] ?? {}).filter((name) => forTests.test(name));
}

async function readToml(files: FileReader, path: string): Promise<unknown> {
  try {
    return parse((await readText(files, path)) ?? "");
  } catch {
    return null;
  }
}

async function hasMetadata(files: FileReader, path: string): Promise<boolean> {
  return /^\[metadata\]/m.test((await readText(files, path)) ?? "");
}

/** Code below `src` is found by its tests only when it is installed. */
function hasSourceFolder(files: FileReader, folder: string): boolean {
  const prefix = posix.join(folder, "src/");
  return files.paths.some((path) => path.startsWith(prefix) && /^[^/]+\/__init__\.py$/.test(path.slice(prefix.length)));
}
