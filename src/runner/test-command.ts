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

/** What a command may refer to: the workspace's files. */
export interface FileReader {
  readonly paths: readonly string[];
  read(path: string): Promise<Uint8Array | null>;
}

const workspace = "/work";

/**
 * Finds out what a test command comes down to: package scripts, package runners and environment wrappers are taken off; with exactly one known
 * test runner left, its report is read, else the exit status decides.
 */
export async function resolveTestCommand(command: string, files: FileReader): Promise<TestCommand> {
  const unwrapped = await unwrapCommand(command.trim(), files);
  const path = unwrapped.usesPackages ? { PATH: `${workspace}/node_modules/.bin:${sandboxPath}` } : {};
  return {
    shell: unwrapped.shell,
    cwd: workspace,
    env: { ...path, ...unwrapped.env },
    runner: loneRunner(unwrapped.shell),
  };
}

/** The search path of the image. */
const sandboxPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
