import type { FileReader } from "../runner/file-reader.ts";
import { isInstall } from "../runner/install-command.ts";
import { simpleCommands } from "../runner/shell-words.ts";
import { type InstallPlan, step, workspace } from "./install-plan.ts";
import { makeEnvironment } from "./python-plan.ts";

/** Files by which package managers go, whatever the language. */
const decisive =
  /(?:^|\/)(?:package\.json|\.npmrc|\.yarnrc(?:\.yml)?|[^/]*lock(?:file)?(?:\.[a-z]+)?|[^/]*[-.]lock\.[a-z]+|[^/]*requirements[^/]*\.(?:txt|in)|requirements\/[^/]+|constraints[^/]*\.txt|pyproject\.toml|setup\.(?:py|cfg)|Pipfile|Makefile|go\.(?:mod|sum)|Cargo\.toml|Gemfile|composer\.json)$/;

/** The commands that a repository names by `setup:`, in place of what the project looks like. */
export function planSetup(commands: readonly string[], files: FileReader): InstallPlan {
  const words = new Set(
    commands.flatMap((command) => command.split(/[\s'"=;&|]+/)).map((word) => word.replace(/^\.\//, "")),
  );
  return {
    manager: "setup",
    steps: [
      makeEnvironment,
      ...commands.map((command) => step(command, { argv: ["sh", "-ec", command], cwd: workspace, env: {} })),
    ],
    files: files.paths.filter((path) => decisive.test(path) || words.has(path)),
    ownCode: !commands.every(installsOnly),
    notes: [],
  };
}

function installsOnly(command: string): boolean {
  const parts = simpleCommands(command);
  return parts !== null && parts.length > 0 && parts.every((part) => isInstall(part));
}
