import { posix } from "node:path";
import { z } from "zod";
import { type FileReader, readText } from "./file-reader.ts";
import { simpleCommands } from "./shell-words.ts";
import { splitAssignments, type Unwrapped } from "./unwrap-command.ts";
import { selected, type WorkspaceCall, workspaceCall } from "./workspace-call.ts";
import { type WorkspacePackage, workspacePackages } from "./workspace-packages.ts";

/** The script of one package, as a command in the package's own folder. */
export interface PackageCommand {
  readonly folder: string;
  readonly shell: string;
  readonly env: Readonly<Record<string, string>>;
}

const task = z.object({ dependsOn: z.array(z.string()).default([]) });
const turbo = z.object({
  tasks: z.record(z.string(), task).optional(),
  pipeline: z.record(z.string(), task).optional(),
});
const nx = z.object({
  plugins: z.array(z.unknown()).default([]),
  targetDefaults: z.record(z.string(), task).default({}),
});

/**
 * Takes a command that runs one script in several packages apart; null for any other, and where it is not certain what
 * it runs: then it stays one plain command.
 */
export async function packageCommands(
  { shell, folder }: Pick<Unwrapped, "shell" | "folder">,
  files: FileReader,
): Promise<readonly PackageCommand[] | null> {
  const commands = simpleCommands(shell);
  const [command] = commands ?? [];
  if (command === undefined || commands?.length !== 1 || command.separator !== "") return null;
  const { env, rest } = splitAssignments(command.words);
  const call = workspaceCall(rest);
  if (call === null || !(await runsAlone(call, folder, files))) return null;
  const packages = selected(call, await workspacePackages(folder, files), folder);
  if (packages === null || packages.some(({ scripts }) => !call.passesOver && !has(scripts, call))) return null;
  return packages.filter(({ scripts }) => has(scripts, call)).map((each) => ({ ...commandOf(each, call), env }));
}

function has(scripts: WorkspacePackage["scripts"], { script }: WorkspaceCall): boolean {
  return Object.hasOwn(scripts, script);
}

function commandOf({ folder }: WorkspacePackage, { script, args }: WorkspaceCall): Omit<PackageCommand, "env"> {
  const own = args[0]?.value === "--" ? args.slice(1) : args;
  const behind = own.length === 0 ? "" : ` -- ${own.map(({ raw }) => raw).join(" ")}`;
  return { folder, shell: `npm run ${script}${behind}` };
}

/** False when the tool's configuration has the script wait for other ones, such as a build. */
async function runsAlone({ tool, script }: WorkspaceCall, folder: string, files: FileReader): Promise<boolean> {
  if (tool === null) return true;
  const text = await readText(files, posix.join(folder, `${tool}.json`));
  if (text === null) return tool === "nx";
  try {
    const tasks = tool === "nx" ? nxTasks(JSON.parse(text)) : turboTasks(JSON.parse(text));
    const waitsFor = tasks[script]?.dependsOn ?? [];
    return waitsFor.every((each) => each === `^${script}`);
  } catch {
    return false;
  }
}

function turboTasks(document: unknown): Readonly<Record<string, z.infer<typeof task>>> {
  const { tasks, pipeline } = turbo.parse(document);
  return tasks ?? pipeline ?? {};
}

/** Throws where plug-ins make targets that no script has. */
function nxTasks(document: unknown): Readonly<Record<string, z.infer<typeof task>>> {
  const { plugins, targetDefaults } = nx.parse(document);
  if (plugins.length > 0) throw new RangeError("plug-ins of nx make targets of their own");
  return targetDefaults;
}
