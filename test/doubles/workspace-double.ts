import { hash } from "node:crypto";
import type { Checkout } from "../../src/checkout/snapshot.ts";
import type { SandboxSession, WorkspaceEntry, WorkspaceFile } from "../../src/sandbox/sandbox.ts";

/** The workspace of a sandbox as a map, for code that only looks at files and writes them. Every other call is a surprise and fails. */
export interface WorkspaceDouble {
  readonly session: SandboxSession;
  readonly files: Map<string, WorkspaceFile | "other">;
  /** How many paths each `stat` asked for. */
  readonly stats: number[];
}

export async function workspaceDouble(checkout: Checkout): Promise<WorkspaceDouble> {
  const files = new Map<string, WorkspaceFile | "other">();
  for await (const file of checkout.files()) files.set(file.path, file);
  const stats: number[] = [];
  const known: Partial<SandboxSession> = {
    async stat(paths) {
      stats.push(paths.length);
      return paths.map((path) => entryOf(path, files.get(path)));
    },
    async get(path, maxBytes) {
      const file = files.get(path);
      return file === undefined || file === "other" || file.bytes.length > maxBytes ? null : file;
    },
    async put(added, { reset }) {
      if (reset) throw new Error("surprise reset of the workspace");
      for await (const each of added) files.set(each.path, each);
    },
  };
  const session = new Proxy(known, {
    get(target, name) {
      const method = Reflect.get(target, name);
      if (method === undefined) throw new Error(`surprise use of session.${String(name)}`);
      return method;
    },
  });
  return { session: session as SandboxSession, files, stats };
}

/** A regular file of the workspace. */
export function file(path: string, content: string | Uint8Array, executable = false): WorkspaceFile {
  return { path, kind: "file", executable, bytes: Buffer.from(content) };
}

function entryOf(path: string, file: WorkspaceFile | "other" | undefined): WorkspaceEntry {
  if (file === undefined || file === "other") {
    const kind = file === undefined ? "missing" : "other";
    return { path, kind, executable: false, size: 0, sha256: null };
  }
  const { kind, executable, bytes } = file;
  return { path, kind, executable, size: bytes.length, sha256: hash("sha256", bytes, "hex") };
}
