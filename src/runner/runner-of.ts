import { type ParseEntry, parse } from "shell-quote";
import type { RunnerName } from "./report.ts";

/** Test runners whose reports cannot be read yet: beside one of them, no other report tells the whole. */
const others = new Set([
  "vitest",
  "jest",
  "mocha",
  "ava",
  "tap",
  "jasmine",
  "karma",
  "cypress",
  "playwright",
  "unittest",
  "nose2",
  "tox",
  "nox",
]);

/**
 * The one known test runner that a shell command starts; `command` when there is none, or more than one, since then no single
 * report says what happened.
 */
export function loneRunner(shell: string): RunnerName {
  const found = simpleCommands(shell)
    .map(runnerOf)
    .filter((name) => name !== null);
  const [only] = found;
  return found.length === 1 && only !== undefined && only !== "other" ? only : "command";
}

/** The words of each simple command. What shell-quote cannot tell (globs, comments) is kept as its text or left out. */
function simpleCommands(shell: string): string[][] {
  const commands: string[][] = [[]];
  for (const entry of parse(shell, (name: string) => `$${name}`)) {
    if (isOperator(entry)) commands.push([]);
    else commands.at(-1)?.push(typeof entry === "string" ? entry : "pattern" in entry ? entry.pattern : "");
  }
  return commands.filter((words) => words.length > 0);
}

function isOperator(entry: ParseEntry): boolean {
  return typeof entry === "object" && "op" in entry && entry.op !== "glob";
}

function runnerOf(words: readonly string[]): RunnerName | "other" | null {
  const [program = "", ...args] = words.filter((word) => !/^[A-Za-z_]\w*=/.test(word));
  const name = program.split("/").at(-1) ?? "";
  if (/^(pytest|py\.test)(-3)?$/.test(name)) return "pytest";
  if (/^python(3(\.\d+)?)?$/.test(name)) return pythonRunner(args);
  if (name === "coverage" && args[0] === "run") return pythonRunner(args.slice(1));
  if (name === "node") return args.some((arg) => arg === "--test" || arg.startsWith("--test-")) ? "node-test" : null;
  if (name === "sh" || name === "bash") return args[0] === "-c" ? asOther(loneRunner(args[1] ?? "")) : null;
  return others.has(name) ? "other" : null;
}

function pythonRunner(args: readonly string[]): RunnerName | "other" | null {
  const at = args.indexOf("-m");
  const module = at === -1 ? "" : (args[at + 1] ?? "");
  if (module === "pytest") return "pytest";
  if (module === "coverage") return pythonRunner(args.slice(at + 2));
  return others.has(module) ? "other" : null;
}

function asOther(name: RunnerName): RunnerName | null {
  return name === "command" ? null : name;
}
