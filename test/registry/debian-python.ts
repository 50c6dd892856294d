import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PythonPackage } from "./python-index.ts";

const installed = "usr/lib/python3/dist-packages";

/**
 * A real Python package for an index of the test's own, out of one of Debian's packages, from where this machine's apt
 * gets them. Only for one that is all Python and needs no other.
 */
export function debianPython(debian: string, name: string): PythonPackage {
  const folder = mkdtempSync(join(tmpdir(), "autolith-debian-"));
  try {
    execFileSync("apt-get", ["-q", "download", debian], { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
    const [file = ""] = readdirSync(folder);
    execFileSync("dpkg-deb", ["-x", file, "."], { cwd: folder });
    const version = execFileSync("dpkg-deb", ["-f", file, "Version"], { cwd: folder, encoding: "utf8" });
    const root = join(folder, installed);
    const paths = readdirSync(join(root, name), { recursive: true, encoding: "utf8" }).filter((path) =>
      /\.py$/.test(path),
    );
    const files = paths.map((path) => [`${name}/${path}`, readFileSync(join(root, name, path), "utf8")]);
    return { name, version: version.trim().replace(/-[^-]*$/, ""), files: Object.fromEntries(files) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
