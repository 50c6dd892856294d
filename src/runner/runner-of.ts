import type { FileReader } from "./file-reader.ts";
import { javascriptRunner } from "./javascript-runner.ts";
import type { RunnerName } from "./report.ts";
import { scriptCall } from "./script-call.ts";
import { type SimpleCommand, simpleCommands } from "./shell-words.ts";
import { isUnittest } from "./unittest-command.ts";
import { peelWrappers } from "./wrappers.ts";

/** `other`: a test runner whose report cannot be read: beside it, no other report tells the whole. */
type Found = RunnerName | "other";

const others = new Set(
  [
    "vitest mocha ava tap tape uvu jasmine karma cypress playwright wtr web-test-runner",
    "unittest nose2 nosetests tox nox trial behave robot stestr",
    "rspec minitest phpunit ctest turbo nx lerna",
  ].flatMap((names) => names.split(" ")),
);

/** Tools whose tests run by a verb of theirs. */
const builders = /^(?:go|cargo|mvn|gradle|gradlew|dotnet|swift|mix|rebar3|bun|deno)$/;
/** Package managers that run a program of `node_modules/.bin` when no script has its name. */
const starters = /^(?:yarn|pnpm|bun)$/;

/** A script that calls itself. */
const deepest = 10;

/**
 * The one known test runner that a shell command starts; `command` when there is none, when there are two (no single
 * report says what happened), or when the text is more than a list of commands.
 */
export async function loneRunner(shell: string, folder: string, files: FileReader): Promise<RunnerName> {
  const found = await runnersIn(shell, folder, files, 0);
  const [only] = found;
  return found.length === 1 && only !== undefined && only !== "other" ? only : "command";
}

async function runnersIn(shell: string, folder: string, files: FileReader, depth: number): Promise<Found[]> {
  const commands = depth > deepest ? null : simpleCommands(shell);
  if (commands === null) return ["other"];
  const found: Found[] = [];
  for (const command of commands) found.push(...(await runnersOf(command, folder, files, depth)));
  return found;
}

async function runnersOf(command: SimpleCommand, folder: string, files: FileReader, depth: number): Promise<Found[]> {
  const words = peelWrappers(command.words);
  const script = await scriptCall(words, folder, files);
  if (script !== null) {
    const inside = await runnersIn(script.shell, script.folder, files, depth + 1);
    // Its own reporters would have to be matched by ours, and are out of sight when the command runs.
    return inside.map((name) => (name === "node-test" && script.shell.includes("--test-reporter") ? "other" : name));
  }
  const [program = "", ...args] = words.map(({ value, raw }) => value ?? raw);
  const name = (program.split("/").at(-1) ?? "").replace(/\.exe$/, "");
  if (/^(?:pytest|py\.test)(?:-3)?$/.test(name)) return ["pytest"];
  const javascript = javascriptRunner([program, ...args]);
  if (javascript !== null) return [javascript];
  if (await isUnittest(command.words, words, folder, files)) return ["unittest"];
  if (name === "sh" || name === "bash" || name === "dash") return innerShell(args, folder, files, depth);
  if ((name === "node" || name === "tsx") && args.includes("--test")) return ["node-test"];
  if (starters.test(name) && args.length > 0)
    return runnersOf({ ...command, words: words.slice(1) }, folder, files, depth + 1);
  return others.has(name) || (builders.test(name) && args.includes("test")) ? ["other"] : [];
}

async function innerShell(args: readonly string[], folder: string, files: FileReader, depth: number): Promise<Found[]> {
  const at = args.findIndex((arg) => /^-[a-z]*c$/.test(arg));
  return at === -1 ? [] : runnersIn(args[at + 1] ?? "", folder, files, depth + 1);
}
