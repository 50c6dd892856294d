import { posix } from "node:path";
import type { FileReader } from "./file-reader.ts";
import { isInstall } from "./install-command.ts";
import { makeCall } from "./make-call.ts";
import { scriptCall } from "./script-call.ts";
import { type ShellWord, type SimpleCommand, shellText, simpleCommands } from "./shell-words.ts";
import { peelWrapper } from "./wrappers.ts";

export interface Unwrapped {
  readonly shell: string;
  /** Where it runs, relative to the workspace; `""` for its root. */
  readonly folder: string;
  /** True when it came out of a package script or a package runner, whose programs lie in `node_modules/.bin`. */
  readonly usesPackages: boolean;
  readonly env: Readonly<Record<string, string>>;
}

/** A script that calls itself, or a chain too long to be meant. */
const deepest = 10;
const assignment = /^([A-Za-z_]\w*)=/;
/**
 * Start another program with `node_modules/.bin` at hand; without it they would ask a registry, which a sandbox cannot
 * reach.
 */
const packageRunner = /^(?:npx|pnpx|bunx|(?:npm|pnpm|yarn) exec|(?:pnpm|yarn)(?= (?:vitest|jest) )) /;

/**
 * Bring an environment of their own along; the sandbox is the environment. Other programs may be scripts that only they
 * know.
 */
const pythonEnvironment = /^(?:uv|poetry|pipenv|pdm|hatch|rye|conda) run /;
const pythonProgram = /^(?:pytest|py\.test|python\d?(?:\.\d+)?|coverage) /;

/**
 * Takes a command that runs in a folder of the workspace apart, as long as the rest means the same: package scripts,
 * targets of make, `cd`, installs, literal assignments.
 */
export async function unwrapCommand(command: string, files: FileReader, folder = ""): Promise<Unwrapped> {
  let state: Unwrapped = { shell: command.trim(), folder, usesPackages: false, env: {} };
  for (let depth = 0; depth < deepest; depth += 1) {
    const commands = simpleCommands(state.shell);
    const next = commands === null ? null : await unwrapOnce(state, commands, files);
    if (next === null) break;
    state = next;
  }
  return state;
}

async function unwrapOnce(
  state: Unwrapped,
  commands: readonly SimpleCommand[],
  files: FileReader,
): Promise<Unwrapped | null> {
  const [first] = commands;
  if (first === undefined) return null;
  if (commands.length > 1 && isSequence(first)) {
    const folder = folderAfter(first, state.folder, files);
    if (folder !== null) return { ...state, folder, shell: shellText(commands.slice(1)) };
  }
  const needed = commands.filter((command, index) => !isDroppable(command, commands[index - 1]));
  if (needed.length > 0 && needed.length < commands.length) return { ...state, shell: shellText(needed) };
  return commands.length === 1 && first.separator !== "&" ? unwrapOne(state, first, files) : null;
}

async function unwrapOne(state: Unwrapped, { words }: SimpleCommand, files: FileReader): Promise<Unwrapped | null> {
  const { env, rest } = splitAssignments(words);
  const script = await scriptCall(rest, state.folder, files);
  if (script !== null) {
    return {
      shell: script.shell,
      folder: script.folder,
      usesPackages: true,
      env: { ...state.env, ...env, ...script.env },
    };
  }
  const made = await makeCall(rest, state.folder, files);
  if (made !== null) return { ...state, shell: made, env: { ...state.env, ...env } };
  const inner = withoutStarter(rest);
  if (inner === null) return null;
  const usesPackages = state.usesPackages || !pythonEnvironment.test(textOf(rest));
  return { ...state, shell: textOf(inner).trim(), usesPackages, env: { ...state.env, ...env } };
}

/**
 * The words behind a package runner or a Python environment's; null for other commands, and when they need its options.
 */
function withoutStarter(words: readonly ShellWord[]): readonly ShellWord[] | null {
  const text = textOf(words);
  if (pythonEnvironment.test(text)) {
    const inner = peelWrapper(words);
    return pythonProgram.test(textOf(inner)) ? inner : null;
  }
  const count = packageRunner.exec(text)?.[0].trim().split(" ").length;
  if (count === undefined) return null;
  const inner = words.slice(count);
  const start = inner.findIndex(({ raw }) => !/^(?:-y|--yes|--no|--no-install|--)$/.test(raw));
  return start === -1 || inner[start]?.raw.startsWith("-") === true ? null : inner.slice(start);
}

function textOf(words: readonly ShellWord[]): string {
  return `${words.map(({ raw }) => raw).join(" ")} `;
}

/**
 * Assignments in front of a command (`CI=1 TZ=UTC npm test`) as its environment; they hold for whatever it comes down
 * to.
 */
export function splitAssignments(words: readonly ShellWord[]): {
  readonly env: Readonly<Record<string, string>>;
  readonly rest: readonly ShellWord[];
} {
  const env: Record<string, string> = {};
  let at = /^(?:env|cross-env|cross-env-shell)$/.test(words[0]?.value ?? "") ? 1 : 0;
  for (; at < words.length; at += 1) {
    const { value } = words[at] ?? { value: null };
    const name = value === null ? undefined : assignment.exec(value)?.[1];
    if (value === null || name === undefined) break;
    env[name] = value.slice(name.length + 1);
  }
  return { env, rest: words.slice(at) };
}

function isSequence({ separator }: SimpleCommand): boolean {
  return separator === "&&" || separator === ";" || separator === "\n";
}

/** The folder that `cd` goes to; null for another command, and for a folder that is not in the workspace. */
function folderAfter({ words }: SimpleCommand, folder: string, files: FileReader): string | null {
  const target = words[1]?.value;
  if (words.length !== 2 || words[0]?.value !== "cd" || target == null) return null;
  const path = posix.normalize(posix.join(folder, target.replace(/^\/work(?=\/|$)/, "."))).replace(/\/$/, "");
  if (path === ".") return "";
  return files.paths.some((each) => each.startsWith(`${path}/`)) ? path : null;
}

/** Installs are done before a sandbox starts, and it has no network for them. */
function isDroppable(command: SimpleCommand, before: SimpleCommand | undefined): boolean {
  return (
    (isSequence(command) || command.separator === "") &&
    (before === undefined || isSequence(before)) &&
    isInstall(command)
  );
}
