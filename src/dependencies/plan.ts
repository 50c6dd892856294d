import { posix } from "node:path";
import type { FileReader } from "../runner/file-reader.ts";
import type { RunnerName } from "../runner/report.ts";
import type { TestCommand } from "../runner/test-command.ts";
import { type InstallPlan, joinPlans, workspace } from "./install-plan.ts";
import { planNode } from "./node-plan.ts";
import { planPython } from "./python-plan.ts";
import { planSetup } from "./setup-plan.ts";

export interface PlanOptions {
  readonly files: FileReader;
  /** What runs the tests; its language and folder decide which packages are needed. */
  readonly command: TestCommand;
  /** `setup:` of the repository's configuration. */
  readonly setup: readonly string[] | undefined;
}

const pythonRunners: ReadonlySet<RunnerName> = new Set(["pytest", "unittest"]);

/** How the packages that the tests need are installed; null when there are none, and nothing has to be done. */
export async function planInstall({ files, command, setup }: PlanOptions): Promise<InstallPlan | null> {
  if (setup !== undefined) return setup.length === 0 ? null : planSetup(setup, files);
  const folder = posix.relative(workspace, command.cwd);
  const isPython = pythonRunners.has(command.runner);
  const isKnown = command.runner !== "command";
  return joinPlans([
    isKnown && isPython ? null : await planNode(files, folder),
    isKnown && !isPython ? null : await planPython(files, folder),
  ]);
}
