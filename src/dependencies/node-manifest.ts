import { posix } from "node:path";
import { z } from "zod";
import { type FileReader, readText } from "../runner/file-reader.ts";

const names = z.record(z.string(), z.unknown()).optional().catch(undefined);

const schema = z.object({
  packageManager: z.string().optional().catch(undefined),
  workspaces: z.unknown().optional(),
  dependencies: names,
  devDependencies: names,
  optionalDependencies: names,
  peerDependencies: names,
  scripts: z.record(z.string(), z.string()).optional().catch(undefined),
});

/** The parts of a `package.json` that installs go by. */
export type NodeManifest = z.infer<typeof schema>;

/** Scripts that package managers run when they install a project of one's own, as `npm help scripts` says. */
export const ownScripts = [
  "preinstall",
  "install",
  "postinstall",
  "prepublish",
  "preprepare",
  "prepare",
  "postprepare",
] as const;

/** Set up a developer's machine, and nothing that a test could see. */
const harmless =
  /^(?:husky(?: install)?|lefthook install|simple-git-hooks|is-ci \|\| husky(?: install)?)(?: \|\| true)?$/;

/** The manifest of a folder (`""` for the root); null when there is none that npm could read. */
export async function readManifest(files: FileReader, folder: string): Promise<NodeManifest | null> {
  try {
    const text = await readText(files, posix.join(folder, "package.json"));
    return text === null ? null : schema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Whether there is anything to install. */
export function hasDependencies(manifest: NodeManifest): boolean {
  const { dependencies, devDependencies, optionalDependencies, peerDependencies, workspaces } = manifest;
  const lists = [dependencies, devDependencies, optionalDependencies, peerDependencies];
  return workspaces !== undefined || lists.some((list) => list !== undefined && Object.keys(list).length > 0);
}

/** Whether installing runs code of the project itself that its tests may need. */
export function runsOwnScripts({ scripts }: NodeManifest): boolean {
  return ownScripts.some((name) => scripts?.[name] !== undefined && !harmless.test(scripts[name].trim()));
}
