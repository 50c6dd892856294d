import { posix } from "node:path";
import { simpleCommands } from "./shell-words.ts";
import type { TestCommand } from "./test-command.ts";

/** Scripts that judge: `check.sh`, `tools/check_types.py`, `scripts/lint-docs.mjs`, `verify`. */
const judges = /^(?:check|lint|verify|validate|typecheck|audit)(?![a-z])|[-_.](?:check|checks|lint|verify)(?=\.|$)/;

/**
 * Files of the workspace that a plain command names and that judge others: to change them is to change the question.
 * A program that is itself what fails is not among them. `paths` are the workspace's.
 */
export function commandFiles({ shell, cwd, parts = [] }: TestCommand, paths: readonly string[]): string[] {
  const words = (simpleCommands(shell) ?? []).flatMap((command) => command.words.map(({ value }) => value ?? ""));
  const named = words.map((word) => posix.relative("/work", posix.resolve(cwd, word)));
  const known = new Set(paths);
  const own = named.filter((path) => known.has(path) && judges.test(posix.basename(path).toLowerCase()));
  return [...new Set([...own, ...parts.flatMap((part) => commandFiles(part, paths))])];
}
