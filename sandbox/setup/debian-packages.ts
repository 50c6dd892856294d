import { access } from "node:fs/promises";
import { SandboxError } from "../../src/errors.ts";
import { runProgram } from "./program.ts";
import { say } from "./say.ts";

const APT_TIMEOUT_MS = 600_000;

/** Whether a file exists that this process may read. */
export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/**
 * Makes sure that the host has `program` (an absolute path), by installing Debian packages where that is ours to do:
 * as root, on a system with apt. Elsewhere a `SandboxError` says what to install.
 */
export async function installDebianPackages(packages: readonly string[], program: string): Promise<void> {
  if (await exists(program)) return;
  if (process.getuid?.() !== 0 || !(await exists("/usr/bin/apt-get"))) {
    throw new SandboxError(
      `${program} is missing: install ${packages.join(" and ")} (as root on Debian, setup does it itself)`,
    );
  }
  say(`installing ${packages.join(", ")}`);
  const options = { env: { DEBIAN_FRONTEND: "noninteractive" }, timeoutMs: APT_TIMEOUT_MS };
  await runProgram("apt-get", ["update", "-q"], options);
  await runProgram("apt-get", ["install", "-q", "-y", "--no-install-recommends", ...packages], options);
}
