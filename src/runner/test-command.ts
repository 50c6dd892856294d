import { posix } from "node:path";
import type { FileReader } from "./file-reader.ts";
import { withoutFolders } from "./node-test-command.ts";
import type { RunnerName } from "./report.ts";
import { loneRunner } from "./runner-of.ts";
import { unwrapCommand } from "./unwrap-command.ts";

/** How the tests are run in the sandbox. */
export interface TestCommand {
  /** What `sh -c` runs there, unwrapped from package scripts and the like. */
  readonly shell: string;
  /** Absolute, in the sandbox. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly runner: RunnerName;
}

const workspace = "/work";

/** The search path of the image. */
const imagePath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/**
 * Finds out what a test command comes down to: package scripts, package runners, installs and environment wrappers are
 * taken off; with exactly one known test runner left, its report is read, else the exit status decides.
 */
export async function resolveTestCommand(command: string, files: FileReader): Promise<TestCommand> {
  const { shell, folder, usesPackages, env } = await unwrapCommand(command, files);
  const runner = await loneRunner(shell, folder, files);
  return {
    shell: forSh(runner === "node-test" ? withoutFolders(shell, folder, files) : shell),
    cwd: posix.join(workspace, folder),
    env: usesPackages ? { PATH: `${packageFolders(folder)}:${imagePath}`, ...env } : env,
    runner,
  };
}

/** `node_modules/.bin` of a folder and of those above it, as npm puts them on the path. */
function packageFolders(folder: string): string {
  const parts = folder === "" ? [] : folder.split("/");
  const folders = [...parts.keys(), parts.length].map((count) => posix.join(workspace, ...parts.slice(0, count)));
  return folders
    .toReversed()
    .map((each) => `${each}/node_modules/.bin`)
    .join(":");
}

/**
 * CI runs the lines of a step with `bash -e`: a line that fails ends it. The image's `sh` does the same when told so,
 * and knows no `pipefail`.
 */
function forSh(shell: string): string {
  const known = shell.replaceAll(/^(\s*set )-([a-z]*)o pipefail\s*?$/gm, (_, set: string, flags: string) =>
    flags === "" ? `${set}-e` : `${set}-${flags}`,
  );
  return known.includes("\n") ? `set -e\n${known}` : known;
}
