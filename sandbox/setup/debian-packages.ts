import { SandboxError } from "../../src/errors.ts";
import { exists } from "./exists.ts";
import { runProgram } from "./program.ts";
import { say } from "./say.ts";

const APT_TIMEOUT_MS = 600_000;

/**
 * Makes sure that this host has `program` (an absolute path) and that we may run it as root, by installing the Debian packages
 * where that is ours to do: as root, on a system with apt. Elsewhere a `SandboxError` says in one line what is missing,
 * beginning with `need`.
 */
export async function installDebianPackages(need: string, packages: readonly string[], program: string): Promise<void> {
  const isRoot = process.getuid?.() === 0;
  if (isRoot && (await exists(program))) return;
  if (!isRoot || !(await exists("/usr/bin/apt-get"))) {
    throw new SandboxError(`${need} (as root on Debian, this set-up brings ${packages.join(" and ")} itself)`);
  }
  say(`installing ${packages.join(", ")}`);
  const options = { env: { DEBIAN_FRONTEND: "noninteractive" }, timeoutMs: APT_TIMEOUT_MS };
  const waitForOthers = ["-o", "DPkg::Lock::Timeout=120"];
  await runProgram("apt-get", [...waitForOthers, "-q", "update"], options);
  await runProgram(
    "apt-get",
    [...waitForOthers, "-q", "-y", "--no-install-recommends", "install", ...packages],
    options,
  );
}
