import { z } from "zod";

/** What a command may refer to: the workspace's files. */
export interface FileReader {
  readonly paths: readonly string[];
  read(path: string): Promise<Uint8Array | null>;
}

const packageJson = z.object({
  name: z.string().optional(),
  version: z.string().optional(),
  scripts: z.record(z.string(), z.string()).default({}),
  dependencies: z.record(z.string(), z.unknown()).catch({}),
  devDependencies: z.record(z.string(), z.unknown()).catch({}),
});

export type PackageJson = z.infer<typeof packageJson>;

/** A file's text, or null. */
export async function readText(files: FileReader, path: string): Promise<string | null> {
  const bytes = await files.read(path);
  return bytes === null ? null : Buffer.from(bytes).toString("utf8");
}

/** The manifest of a folder (`""` for the root); null when there is none that npm could read. */
export async function readPackage(files: FileReader, folder: string): Promise<PackageJson | null> {
  try {
    const text = await readText(files, folder === "" ? "package.json" : `${folder}/package.json`);
    return text === null ? null : packageJson.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
