import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The lockfile that npm writes for a manifest whose packages come from where this machine gets them. */
export function npmLockfile(manifest: object): string {
  const folder = mkdtempSync(join(tmpdir(), "autolith-lockfile-"));
  try {
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
    const options = ["--package-lock-only", "--ignore-scripts", "--no-audit", "--no-fund"];
    execFileSync("npm", ["install", ...options], { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
    return readFileSync(join(folder, "package-lock.json"), "utf8");
  } finally {
    rmSync(folder, { recursive: true });
  }
}
