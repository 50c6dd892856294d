import { posix } from "node:path";
import type { FileReader } from "./file-reader.ts";
import { withoutFolders } from "./node-test-command.ts";
import { packageCommands } from "./package-commands.ts";
import type { RunnerName } from "./report.ts";
import { loneRunner } from "./runner-of.ts";
import { type Unwrapped, unwrapCommand } from "./unwrap-command.ts";

/** How the tests are run in the sandbox. */
export interface TestCommand {
  /** What `sh -c` runs there, unwrapped from package scripts and the like. */
  readonly shell: string;
  /** Absolute, in the sandbox. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly runner: RunnerName;
  /** For `packages`: the command of each package, whose environment comes on top of this one's. */
  readonly parts?: readonly TestCommand[];
}

const workspace = "/work";

/** The search path of the image. */
const imagePath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/**
 * Finds out what a test command comes down to: package scripts, package runners, installs and environment wrappers are
 * taken off; with exactly one known test runner left, its report is read, else the exit status decides. A command that
 * runs one script in several packages becomes one command a package.
 */
export async function resolveTestCommand(command: string, files: FileReader): Promise<TestCommand> {
  const unwrapped = await unwrapCommand(command, files);
  return (await resolvePackages(unwrapped, files)) ?? resolveUnwrapped(unwrapped, files);
}

/**
 * A command for several packages as the commands of those packages; as that of the one package where there is only one.
 * Null where none of them has a runner that is known, or one cannot be found out: then it stays as it is.
 */
async function resolvePackages(unwrapped: Unwrapped, files: FileReader): Promise<TestCommand | null> {
  const commands = (await packageCommands(unwrapped, files)) ?? [];
  const parts: TestCommand[] = [];
  for (const each of commands) {
    const resolved = await resolveUnwrapped(await unwrapCommand(each.shell, files, each.folder), files);
    parts.push({ ...resolved, env: { ...each.env, ...resolved.env } });
  }
  const { shell, folder, env } = unwrapped;
  const [only] = parts;
  if (only === undefined || parts.every(({ runner }) => runner === "command")) return null;
  if (parts.length === 1) return { ...only, env: { ...env, ...only.env } };
  return { shell, cwd: posix.join(workspace, folder), env, runner: "packages", parts };
}

async function resolveUnwrapped(
  { shell, folder, usesPackages, env }: Unwrapped,
  files: FileReader,
): Promise<TestCommand> {
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
