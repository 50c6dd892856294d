import type { FileReader } from "../../src/runner/file-reader.ts";

/** A workspace of the given files, path to content; objects become JSON. */
export function tree(files: Readonly<Record<string, string | object>>): FileReader {
  return {
    paths: Object.keys(files),
    async read(path) {
      const content = files[path];
      if (content === undefined) return null;
      return Buffer.from(typeof content === "string" ? content : JSON.stringify(content));
    },
  };
}
